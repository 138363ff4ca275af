public import ViewModelKit

/// A stopwatch whose laps are stored.
final class Stopwatch: ViewModel {
  static let id = "stopwatch"

  let start = Input<NoValue>()
  let stop = Input<NoValue>()
  let lap = Input<NoValue>()
  let reset = Input<NoValue>()

  let display = State("00:00.0", .distinct)
  let running = State(false, .distinct)
  let laps = State([String](), .distinct)
  /// Emits the time of each lap.
  let lapped = Signal<String>()
  /// Emits why the laps could not be restored or stored.
  let failed = Signal<String>()

  let timer = Timer()
  let storage = Storage()
  let ticking = Work(.ignoreWhileBusy)
  /// The storage is asked one thing at a time.
  let storing = Work(.ignoreWhileBusy)

  /// When it would have started if it had run without a break.
  private var since = Duration.zero
  /// What it came to at the last stop.
  private var elapsed = Duration.zero
  private var isChanged = false

  func start(_ context: Context<NoConfig>) {
    start.on {
      guard !self.running.value else { return }
      self.since = context.now - self.elapsed
      self.running.value = true
      self.ticking.start { try await self.tick(context) }
    }
    stop.on {
      guard self.running.value else { return }
      self.ticking.cancel()
      self.elapsed = context.now - self.since
      self.show(self.elapsed)
      self.running.value = false
    }
    lap.on {
      guard self.running.value else { return }
      self.show(context.now - self.since)
      self.laps.value.append(self.display.value)
      self.lapped.emit(self.display.value)
      self.save()
    }
    reset.on {
      self.ticking.cancel()
      self.elapsed = .zero
      self.show(.zero)
      self.running.value = false
      guard !self.laps.value.isEmpty else { return }
      self.laps.value = []
      self.save()
    }
    storing.start {
      await self.report { try await self.restore() }
      await self.saveChanges()
    }
  }

  private func tick(_ context: Context<NoConfig>) async throws {
    while true {
      try await timer.sleep(for: .milliseconds(100))
      show(context.now - since)
    }
  }

  private func show(_ elapsed: Duration) {
    let (seconds, attoseconds) = elapsed.components
    let tenth = attoseconds / 100_000_000_000_000_000
    display.value = "\(twoDigits(seconds / 60)):\(twoDigits(seconds % 60)).\(tenth)"
  }

  private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  // MARK: The storage

  /// Puts the stored laps before those that there are by now.
  private func restore() async throws {
    guard let stored = try await storage.get("laps", as: [String].self) else { return }
    laps.value = stored + laps.value
  }

  private func save() {
    isChanged = true
    storing.start { await self.saveChanges() }
  }

  private func saveChanges() async {
    while isChanged {
      isChanged = false
      let laps = laps.value
      await report {
        if laps.isEmpty {
          try await self.storage.delete("laps")
        } else {
          try await self.storage.set("laps", laps)
        }
      }
    }
  }

  private func report(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch let error as EffectError {
      failed.emit(error.code)
    } catch {}
  }
}

let plugin = Plugin(id: "stopwatch", version: "1.0.0", Stopwatch.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }

/// Replays the calls to a plugin up to its crash or hang, in a process without confinement, so that
/// Swift's backtracer can show where it happens.
package struct CrashReplay {
  private let path: String
  private let name: String
  private let digest: String
  private let lock: PluginLock?
  private let calls: [PluginCall]
  package let failure: PluginFailure

  /// Makes a replay for a plugin that crashed or hung. Returns nil if it didn't.
  package init?(
    of connection: RecordingConnection, path: String, name: String, lock: PluginLock?
  ) {
    guard let failure = connection.plugin.failure else { return nil }
    self.path = path
    self.name = name
    self.lock = lock
    self.failure = failure
    digest = connection.plugin.digest ?? ""
    calls = connection.calls
  }

  /// Makes a replay for a plugin that crashed or hung while it was loaded. Returns nil if loading
  /// failed in another way.
  package init?(of error: PluginLoadError, path: String, lock: PluginLock?) {
    guard case .workerEnded(_, let failure?, let digest) = error.reason else { return nil }
    self.path = path
    self.lock = lock
    self.failure = failure
    self.digest = digest
    name = error.plugin
    calls = []
  }

  /// The number of instances opened, events delivered and instances closed.
  package var eventCount: Int { calls.reduce(0) { $0 + $1.count } }

  /// Replays the calls, and returns the lines of the backtrace down to where vmhost called the
  /// plugin.
  ///
  /// - Parameter confined: how the plugin was confined.
  /// - Throws: `BacktraceError` if the library has changed, the replay doesn't end in the same way,
  ///   or the backtracer fails.
  package func run(
    _ backtracer: Backtracer, limits: StepLimits, after confined: Sandbox
  ) throws(BacktraceError) -> [String] {
    guard (try? SHA256.digest(ofFile: path)) == digest else { throw .changed(path) }
    // Addresses stay fixed, since they decide what a wild pointer hits.
    let worker = confined.worker
    var sandbox = Sandbox(
      .off, layers: SandboxMode.off.layers.union([.fixedAddresses]), worker: worker,
      backtracer: backtracer)
    // A thread that confinement refused would not crash the replay.
    sandbox.refusesThreads = !confined.confinement.layers.isDisjoint(
      with: [.seccompLoad, .seccompRun])
    let printed = BacktraceLines()
    var ending: String?
    do throws(PluginLoadError) {
      let plugin = try RemotePlugin(
        path: path, name: name, limits: limits, sandbox: sandbox, lock: lock)
      for line in plugin.takePrinted() { printed.take(line) }
      repeatCalls(on: plugin, printed)
      ending = plugin.ending
    } catch {
      for line in error.printed { printed.take(line) }
      guard case .workerEnded(let message, _, _) = error.reason else {
        throw .notLoaded(error.description)
      }
      ending = message
    }
    return try trace(printed, ending: ending, of: worker)
  }

  private func repeatCalls(on plugin: RemotePlugin, _ printed: BacktraceLines) {
    for call in calls where plugin.ending == nil {
      var emissions = EventBatch()
      switch call {
      case .create(let specification, let number):
        plugin.create(specification, as: number, into: &emissions)
        printed.take(from: emissions)
      case .deliver(let events):
        var next = 0
        var before = -1
        while next < events.count && next > before && plugin.ending == nil {
          emissions.removeAll()
          before = next
          next = plugin.deliver(events, from: next, into: &emissions)
          printed.take(from: emissions)
        }
      case .destroy(let number):
        plugin.destroy(number, into: &emissions)
        printed.take(from: emissions)
      }
    }
  }
}

/// Collects the output of the runtime and the backtracer, without the plugin's output before it.
private final class BacktraceLines {
  /// The lines after "*** Signal 11: Backtracing from 0x7f55… done ***", a line that the runtime
  /// starts and the backtracer ends. It is nil before there is such a line.
  private(set) var lines: [String]?
  private(set) var isDone = false
  private(set) var lacksBacktracer = false

  func take(from emissions: EventBatch) {
    for record in emissions.records where record.isOf(.print) {
      take(emissions.value(of: record))
    }
  }

  func take(_ line: String) {
    if line.hasPrefix("*** Signal ") && line.contains("Backtracing") {
      lines = []
      isDone = line.hasSuffix(" done ***")
    } else if line.contains("unable to locate swift-backtrace") {
      lacksBacktracer = true
    } else {
      lines?.append(line)
    }
  }
}

extension CrashReplay {
  private func trace(
    _ printed: BacktraceLines, ending: String?, of worker: String
  ) throws(BacktraceError) -> [String] {
    guard let ending else { throw failure == .crash ? .didNotCrash : .didNotHang }
    guard !printed.lacksBacktracer else { throw .notInstalled(nil) }
    guard let lines = printed.lines else { throw .unseen(ending) }
    guard printed.isDone else {
      throw .failed(lines.filter { !$0.isEmpty }.joined(separator: " "))
    }
    let program = (try? Files.absolute(worker)) ?? worker
    return BacktraceText.shortened(
      lines[...], isOfHang: failure == .hang,
      host: Files.components(of: program).last ?? "vmhost")
  }
}

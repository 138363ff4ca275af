import ViewModelKit

final class KitWorks: ViewModel {
  static let id = "kit.works"

  let latest = Input<String>()
  let queued = Input<String>()
  let ignored = Input<String>()
  let debounced = Input<String>()
  let cancel = Input<NoValue>()
  let group = Input<NoValue>()
  let yields = Input<Int>()

  let busy = State(false, .distinct)
  let began = Signal<String>()
  let ended = Signal<String>()

  let timer = Timer()
  let latestWork = Work(.latest)
  let queuedWork = Work(.queued)
  let ignoringWork = Work(.ignoreWhileBusy)
  let debouncedWork = Work(.latest, debounce: .milliseconds(300))

  func start(_ context: Context<NoConfig>) {
    latest.start(latestWork, run)
    queued.start(queuedWork, run)
    ignored.start(ignoringWork, run)
    debounced.start(debouncedWork, run)
    cancel.on {
      for work in [self.latestWork, self.queuedWork, self.ignoringWork, self.debouncedWork] {
        work.cancel()
      }
      self.busy.value = false
    }
    group.start(latestWork) {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for seconds in 1...3 {
          group.addTask {
            try await self.timer.sleep(for: .seconds(seconds))
            return seconds
          }
        }
        for try await seconds in group { self.ended.emit("\(seconds)") }
      }
    }
    yields.start(queuedWork) { count in
      for _ in 0..<count { await Task.yield() }
      self.ended.emit("yields")
    }
  }

  private func run(_ name: String) async throws {
    busy.value = true
    began.emit(name)
    try await timer.sleep(for: .seconds(1))
    ended.emit(name)
    busy.value = false
  }
}

import ViewModelKit

final class KitTicker: ViewModel {
  static let id = "kit.ticker"

  let start = Input<NoValue>()
  /// As `start`, but each timer takes an hour.
  let startHourly = Input<NoValue>()
  /// As `start`, but each timer ends at once.
  let spin = Input<NoValue>()
  /// Waits so many seconds, one by one, and says nothing of it.
  let rest = Input<Int>()
  let ticked = Signal<Int>()

  let timer = Timer()
  let work = Work(.latest)

  func start(_ context: Context<NoConfig>) {
    start.start(work) { try await self.tick(every: .seconds(1)) }
    startHourly.start(work) { try await self.tick(every: .seconds(3600)) }
    spin.start(work) { try await self.tick(every: .zero) }
    rest.start(work) { seconds in
      for _ in 0..<seconds { try await self.timer.sleep(for: .seconds(1)) }
    }
  }

  private func tick(every span: Duration) async throws {
    var count = 0
    while true {
      try await timer.sleep(for: span)
      count += 1
      ticked.emit(count)
    }
  }
}

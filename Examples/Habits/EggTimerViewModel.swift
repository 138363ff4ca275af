import ViewModelKit

/// Counts down, and then plays one of six tunes.
final class EggTimerViewModel: ViewModel {
  static let id = "habits.egg-timer"

  /// Send the seconds.
  let didStart = Input<Int>()
  let didStop = Input<NoValue>()

  let remaining = State(0, .distinct)
  let rang = Signal<Int>()

  let timer = Timer()
  let countdown = Work(.latest)

  func start(_ context: Context<NoConfig>) {
    didStart.start(countdown) { seconds in
      let end = context.now + .seconds(seconds)
      self.remaining.value = seconds
      while context.now < end {
        try await self.timer.sleep(for: .seconds(1))
        self.remaining.value -= 1
      }
      context.log(.info, "\(seconds) s are over")
      self.rang.emit(Int.random(in: 1...6, using: &context.random))
    }
    didStop.on {
      self.countdown.cancel()
      self.remaining.value = 0
    }
  }
}

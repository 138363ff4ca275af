import ViewModelKit

/// Instances that hold on to themselves, if the config says so.
final class LeakyViewModel: ViewModel {
  static let id = "confined.leaky"

  struct Config: ViewModelConfig {
    var leaks = true
  }

  let tap = Input<NoValue>()
  let done = Signal<NoValue>()
  private var again: (() -> Void)?

  func start(_ context: Context<Config>) {
    if context.config.leaks { again = { self.done.emit() } }
    tap.on { self.done.emit() }
  }
}

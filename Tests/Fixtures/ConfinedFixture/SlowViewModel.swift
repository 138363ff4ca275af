import Glibc
import ViewModelKit

/// Inputs that keep the process.
final class SlowViewModel: ViewModel {
  static let id = "confined.slow"

  let busy = Input<Int>()
  let asleep = Input<Int>()
  let quick = Input<NoValue>()
  let done = Signal<NoValue>()

  func start(_ context: Context<NoConfig>) {
    // The clocks stand still within a step, so the processor's time is counted by the system.
    busy.on { milliseconds in
      let start = Self.processorTime
      while Self.processorTime - start < milliseconds * 1000 {}
      self.done.emit()
    }
    asleep.on { milliseconds in
      usleep(useconds_t(milliseconds * 1000))
      self.done.emit()
    }
    quick.on { self.done.emit() }
  }

  /// In microseconds.
  private static var processorTime: Int {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + $1.tv_sec * 1_000_000 + $1.tv_usec }
  }
}

import Glibc

/// A thread that sees when a plugin loaded into this process doesn't come back from a call.
///
/// Nothing can stop such a call, so all that is left is to say so and to end the process.
package enum Watchdog {
  /// Starts watching, until the process ends.
  ///
  /// - Parameters:
  ///   - limit: how long one call may take.
  ///   - onHang: runs on the watchdog's thread while the plugin is stuck; must end the process.
  package static func watch(
    _ monitor: StepMonitor, limit: Nanoseconds,
    onHang: @escaping @Sendable (StepMonitor.Step) -> Never
  ) throws(SystemError) {
    let watch = Watch(monitor: monitor, limit: limit, onHang: onHang)
    try DetachedThread.start { watch.run() }
  }

  private final class Watch: Sendable {
    private let monitor: StepMonitor
    private let limit: Nanoseconds
    private let onHang: @Sendable (StepMonitor.Step) -> Never

    init(
      monitor: StepMonitor, limit: Nanoseconds,
      onHang: @escaping @Sendable (StepMonitor.Step) -> Never
    ) {
      self.monitor = monitor
      self.limit = limit
      self.onHang = onHang
    }

    func run() -> Never {
      // Looking a few times per limit finds a hang soon enough after it.
      let pause = max(limit / 8, 1_000_000)
      var seen: UInt64 = 0
      var since: Nanoseconds = 0
      while true {
        var time = timespec(
          tv_sec: Int(pause / 1_000_000_000), tv_nsec: Int(pause % 1_000_000_000))
        _ = unsafe nanosleep(&time, nil)
        let present = monitor.present
        let now = SystemClock.monotonic()
        if present == 0 || present != seen {
          seen = present
          since = now
        } else if now - since >= limit {
          onHang(StepMonitor.step(of: present))
        }
      }
    }
  }
}

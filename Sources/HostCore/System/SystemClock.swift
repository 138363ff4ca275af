import Glibc
import HostShims

/// A point in time or a span of time, in nanoseconds.
package typealias Nanoseconds = Int64

/// The machine's real clocks, even in a worker. Only the driver of a live run and the code that
/// enforces time limits read them.
package enum SystemClock {
  /// The time since an arbitrary start, from a clock that never jumps.
  package static func monotonic() -> Nanoseconds { read(CLOCK_MONOTONIC) }

  /// The time of day, since 1970-01-01T00:00:00Z.
  package static func wall() -> Nanoseconds { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Nanoseconds { host_real_time(clock) }
}

import Glibc
import HostShims

/// A time or a span of time in nanoseconds.
package typealias Nanoseconds = Int64

/// The machine's clocks, in a worker too. Only a live run's driver and the guards of limits read
/// them.
package enum SystemClock {
  /// Time that never jumps, from an arbitrary beginning.
  package static func monotonic() -> Nanoseconds { read(CLOCK_MONOTONIC) }

  /// The time of day, since 1970-01-01T00:00:00Z.
  package static func wall() -> Nanoseconds { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Nanoseconds { host_real_time(clock) }
}

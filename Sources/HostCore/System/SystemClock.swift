import Glibc

/// A time or a span of time in nanoseconds.
package typealias Nanoseconds = Int64

/// The machine's clocks. Only a live run reads them, and only its driver.
package enum SystemClock {
  /// Time that never jumps, from an arbitrary beginning.
  package static func monotonic() -> Nanoseconds { read(CLOCK_MONOTONIC) }

  /// The time of day, since 1970-01-01T00:00:00Z.
  package static func wall() -> Nanoseconds { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Nanoseconds {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

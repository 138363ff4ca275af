import Basics
import HostShims

/// Waits for another process without sleeping, for a few microseconds.
///
/// Waking up from sleep takes several times as long as a plugin needs for an event. A wait in vain
/// takes processor time, so after one, some later waits are left out: a session in which events are
/// rare hardly ever waits awake, nor does a machine that has other work.
package struct AwakeWait {
  private static let limit: Nanoseconds = 100_000
  private static let maxLeftOut = 256
  /// The checks between two looks at the clock.
  private static let checks = 16

  /// How many waits are left out after the next one in vain.
  private var penalty = 1
  private var leftOut = 0

  package init() {}

  /// Waits until `isOver`, or not at all.
  ///
  /// - Returns: whether it is over.
  @discardableResult
  package mutating func wait(until isOver: () -> Bool) -> Bool {
    guard !isOver() else { return true }
    guard leftOut == 0 else {
      leftOut -= 1
      return false
    }
    let end = SystemClock.monotonic() + Self.limit
    repeat {
      for _ in 0..<Self.checks {
        host_pause()
        if isOver() {
          penalty = 1
          return true
        }
      }
    } while SystemClock.monotonic() < end
    leftOut = penalty
    penalty = min(penalty * 2, Self.maxLeftOut)
    return false
  }
}

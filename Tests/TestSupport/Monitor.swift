import Foundation

/// A value behind a lock, with the means to wait until it changes.
// Sendable holds because every access to `state` happens with `condition` locked.
final class Monitor<State>: @unchecked Sendable {
  private let condition = NSCondition()
  private var state: State

  init(_ state: sending State) {
    self.state = state
  }

  /// Runs `body` alone, then lets all that wait look again.
  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return try body(&state)
  }

  /// Waits until `body` gives a value; nil when `limit` has passed before it does.
  func wait<Result>(within limit: Duration, for body: (inout State) -> Result?) -> Result? {
    let deadline = Date(timeIntervalSinceNow: limit / .seconds(1))
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = body(&state) { return result }
      if !condition.wait(until: deadline) { return body(&state) }
    }
  }
}

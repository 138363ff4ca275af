/// Who changes a profile from outside.
protocol ProfileUpdates: Sendable {
  /// Returns what one call brings, in the order in which it comes. The parts are independent: each
  /// waits, from when it is called, until its profile is there. It throws only what ended the work early.
  func request() -> [@Sendable () async throws -> Profile]
}

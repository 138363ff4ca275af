/// Who changes a profile from outside.
protocol ProfileUpdates: Sendable {
  /// Returns what one call brings, in the order in which it comes. Each part waits on its own, from
  /// when it is called until its profile is there, and throws only what ended the work early.
  func request() -> [@Sendable () async throws -> Profile]
}

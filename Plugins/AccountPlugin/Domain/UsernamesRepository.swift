/// Knows which usernames belong to somebody already.
protocol UsernamesRepository: Sendable {
  /// Throws `UsernamesUnreachable`, or what ended the work early.
  func isTaken(_ username: String) async throws -> Bool
}

/// Nobody could be asked whether a username is taken.
struct UsernamesUnreachable: Error {}

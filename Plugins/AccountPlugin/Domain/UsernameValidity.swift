/// What is known of a username that somebody would like to have.
enum UsernameValidity: Equatable, Sendable {
  case empty
  /// It has a character that is no letter, mark or number.
  case malformed
  /// Somebody is being asked.
  case validating
  case available
  case taken
  /// Nobody could be asked.
  case unknown
}

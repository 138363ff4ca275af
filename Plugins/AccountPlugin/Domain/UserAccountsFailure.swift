/// Why somebody is not logged in, registered or helped to a new password.
struct UserAccountsFailure: Error, Equatable {
  /// The reason, as far as it makes a difference to anybody.
  enum Reason: Equatable, Sendable {
    /// The password is right, but the account wants a code too, which is on its way now.
    case codeRequired
    /// The code of the second factor is wrong.
    case codeRejected
    /// No account has this email address.
    case unknownEmail
    /// Anything else, a server out of reach included.
    case other
  }

  let reason: Reason
  /// What the server would have the user read, if it said anything.
  let message: String?
}

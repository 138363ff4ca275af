/// Finds out whether a username can be had; asks only about those that could be.
struct ValidateUsername: Sendable {
  let usernames: any UsernamesRepository

  /// Calls `validating` before it asks anybody. Throws only what ended the work early.
  func execute(_ username: String, validating: () -> Void) async throws -> UsernameValidity {
    guard !username.isEmpty else { return .empty }
    guard username.unicodeScalars.allSatisfy(Self.isAllowed) else { return .malformed }
    validating()
    do {
      return try await usernames.isTaken(username) ? .taken : .available
    } catch is UsernamesUnreachable {
      return .unknown
    }
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default:
      false
    }
  }
}

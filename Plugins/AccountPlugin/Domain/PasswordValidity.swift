/// Whether a password will do.
enum PasswordValidity: Equatable, Sendable {
  static let shortest = 5

  case empty
  case tooShort
  case acceptable

  init(_ password: String) {
    self =
      if password.isEmpty {
        .empty
      } else if password.count < Self.shortest {
        .tooShort
      } else {
        .acceptable
      }
  }
}

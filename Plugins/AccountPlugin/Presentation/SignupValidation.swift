/// What a field of the sign-up says about its text.
struct SignupValidation: Codable, Equatable, Sendable {
  enum Kind: String, Codable, CaseIterable, Sendable {
    case empty
    case validating
    case ok
    case failed
  }

  static let empty = SignupValidation(.empty, "")

  let kind: Kind
  let message: String

  var isValid: Bool { kind == .ok }

  private init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  init(_ username: UsernameValidity) {
    self =
      switch username {
      case .empty: .empty
      case .malformed: Self(.failed, "Username can only contain numbers or digits")
      case .validating: Self(.validating, "validating ...")
      case .available: Self(.ok, "Username available")
      case .taken: Self(.failed, "Username already taken")
      case .unknown: Self(.failed, "Error contacting server")
      }
  }

  init(_ password: PasswordValidity) {
    self =
      switch password {
      case .empty: .empty
      case .tooShort:
        Self(.failed, "Password must be at least \(PasswordValidity.shortest) characters")
      case .acceptable: Self(.ok, "Password acceptable")
      }
  }

  init(_ repetition: RepetitionValidity) {
    self =
      switch repetition {
      case .empty: .empty
      case .same: Self(.ok, "Password repeated")
      case .different: Self(.failed, "Password different")
      }
  }
}

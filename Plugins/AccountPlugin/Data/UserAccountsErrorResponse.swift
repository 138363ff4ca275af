/// The body of a refusal. A member that is missing, or is something else, says nothing, and takes
/// nothing from the other.
struct UserAccountsErrorResponse: Decodable {
  private enum CodingKeys: String, CodingKey {
    case errorMessages
    case ksrCode
  }

  let errorMessages: [String]?
  let ksrCode: String?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    errorMessages = try? container.decode([String].self, forKey: .errorMessages)
    ksrCode = try? container.decode(String.self, forKey: .ksrCode)
  }

  var failure: UserAccountsFailure {
    let reason: UserAccountsFailure.Reason =
      switch ksrCode {
      case "TfaRequired": .codeRequired
      case "TfaFailed": .codeRejected
      default: .other
      }
    return UserAccountsFailure(reason: reason, message: errorMessages?.first)
  }
}

/// The body of a refusal; what is missing says nothing.
struct UserAccountsErrorResponse: Decodable {
  let errorMessages: [String]?
  let ksrCode: String?

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

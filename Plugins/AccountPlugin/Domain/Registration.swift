/// What somebody fills in to become a user.
struct Registration: Equatable, Sendable {
  var name = ""
  var email = ""
  var password = ""
  var sendsNewsletters = false

  /// Whether nothing that is needed is missing; the server alone judges the rest.
  var isComplete: Bool {
    !name.isEmpty && !email.isEmpty && !password.isEmpty
  }
}

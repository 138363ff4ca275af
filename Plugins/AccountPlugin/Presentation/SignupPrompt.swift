/// What the user is told when a sign-up was answered, and how it can be put away.
struct SignupPrompt: Codable, Equatable, Sendable {
  let message: String
  let cancelAction: String
  /// The choices besides `cancelAction`.
  let actions: [String]

  init(signedIn: Bool) {
    message = signedIn ? "Mock: Signed in to GitHub." : "Mock: Sign in to GitHub failed"
    cancelAction = "OK"
    actions = []
  }
}

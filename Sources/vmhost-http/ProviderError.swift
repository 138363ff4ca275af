/// The reason why a request has no answer, as the plugin gets it.
struct ProviderError: Error, Equatable, CustomStringConvertible {
  enum Code: String {
    /// No connection, or it was lost before the answer began.
    case offline
    case timeout
    case cancelled
    case invalidURL = "invalid-url"
    case tooLarge = "too-large"
    /// The value of the request is not as documented: the plugin's mistake.
    case invalidRequest = "invalid-request"
    /// Anything else: a TLS error, a malformed or truncated answer, too many redirects, an unknown
    /// effect.
    case failed
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  var description: String { "\(code.rawValue): \(message)" }
}

/// Why a request isn't served: what the client is told, before its connection is closed.
package struct RequestMistake: Error, Equatable, Sendable {
  package let status: Status
  /// A sentence for whoever wrote the client.
  package let message: String
  /// The method that would be right.
  package let allowed: String?

  init(_ status: Status, _ message: String, allowed: String? = nil) {
    self.status = status
    self.message = message
    self.allowed = allowed
  }
}

/// The statuses of answers.
package enum Status: Int, Sendable {
  case ok = 200
  case noContent = 204
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case timeout = 408
  case lengthRequired = 411
  case bodyTooLarge = 413
  case targetTooLong = 414
  case unsupportedMediaType = 415
  case expectationFailed = 417
  case headersTooLarge = 431
  case unavailable = 503
  case versionNotSupported = 505

  var reason: String {
    switch self {
    case .ok: "OK"
    case .noContent: "No Content"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .timeout: "Request Timeout"
    case .lengthRequired: "Length Required"
    case .bodyTooLarge: "Content Too Large"
    case .targetTooLong: "URI Too Long"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .expectationFailed: "Expectation Failed"
    case .headersTooLarge: "Request Header Fields Too Large"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}

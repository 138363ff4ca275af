/// A request that a `LoopbackServer` has received.
package struct HTTPRequest: Sendable {
  /// Its place in the order of arrival over the server's life, from 0.
  package let index: Int
  package let method: String
  /// The target without its query, as sent: `/path`, or `http://host/path` when asked as a proxy.
  package let path: String
  /// What follows the `?`, as sent; nil without one.
  package let query: String?
  /// In the order received, names as received.
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  /// The target as sent.
  package var target: String { query.map { "\(path)?\($0)" } ?? path }
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The first header of this name, whatever its case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// What a `LoopbackServer` does about a request.
package struct HTTPResponse: Sendable {
  package enum Behaviour: Sendable {
    /// Sends status, headers, content-length and body.
    case answer
    /// Closes the connection without a byte.
    case close
    /// Sends the headers with a content-length and the body, then nothing, until the client hangs
    /// up.
    case stall
    /// Promises this many bytes more than the body has, then closes.
    case truncate(missing: Int)
    /// Sends these bytes as they are, then closes.
    case raw([UInt8])
    /// Sends a body of this many bytes `x`, chunked, ending early only if the client hangs up.
    case stream(Int)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  package var behaviour = Behaviour.answer
  /// The answer waits until this is open.
  package var gate: Gate?

  package init(
    status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    behaviour: Behaviour = .answer, gate: Gate? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.behaviour = behaviour
    self.gate = gate
  }

  /// `application/json`; the text need not be valid.
  package static func json(_ text: String, status: Int = 200, gate: Gate? = nil) -> HTTPResponse {
    let headers = [(name: "Content-Type", value: "application/json")]
    return HTTPResponse(status: status, headers: headers, body: Array(text.utf8), gate: gate)
  }

  /// `text/plain; charset=utf-8`.
  package static func text(_ text: String, status: Int = 200, gate: Gate? = nil) -> HTTPResponse {
    let headers = [(name: "Content-Type", value: "text/plain; charset=utf-8")]
    return HTTPResponse(status: status, headers: headers, body: Array(text.utf8), gate: gate)
  }

  package static func redirect(to location: String, status: Int = 302) -> HTTPResponse {
    HTTPResponse(status: status, headers: [("Location", location)])
  }

  package static let close = HTTPResponse(behaviour: .close)
  package static let notFound = HTTPResponse.text("not found", status: 404)

  /// The status line and headers as sent.
  func head(framing: String) -> [UInt8] {
    let fields = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    return Array("HTTP/1.1 \(status) Status\r\n\(fields)\(framing)\r\n\r\n".utf8)
  }
}

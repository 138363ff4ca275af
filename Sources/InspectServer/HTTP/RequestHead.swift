/// The request line and the headers of a request.
package struct RequestHead: Equatable, Sendable {
  /// A header that the server reads. It ignores all others.
  package enum Header: String, CaseIterable, Sendable {
    case host
    case origin
    case connection
    case upgrade
    case expect
    case secret = "x-vmhost-secret"
    case contentType = "content-type"
    case contentLength = "content-length"
    case transferEncoding = "transfer-encoding"
    case lastEventID = "last-event-id"
    case fetchSite = "sec-fetch-site"
    case fetchDestination = "sec-fetch-dest"

    /// The name as messages have it.
    var title: String {
      switch self {
      case .host: "Host"
      case .origin: "Origin"
      case .connection: "Connection"
      case .upgrade: "Upgrade"
      case .expect: "Expect"
      case .secret: "X-Vmhost-Secret"
      case .contentType: "Content-Type"
      case .contentLength: "Content-Length"
      case .transferEncoding: "Transfer-Encoding"
      case .lastEventID: "Last-Event-ID"
      case .fetchSite: "Sec-Fetch-Site"
      case .fetchDestination: "Sec-Fetch-Dest"
      }
    }
  }

  package internal(set) var method: [UInt8] = []
  /// Begins with a slash.
  package internal(set) var target: [UInt8] = []
  package internal(set) var headers: [Header: [UInt8]] = [:]
  /// The value of Content-Length, or nil.
  package internal(set) var bodyCount: Int?

  package subscript(header: Header) -> [UInt8]? { headers[header] }

  func has(_ header: Header, _ value: String) -> Bool { headers[header] == Array(value.utf8) }

  /// Whether the client wants the connection to be closed after the answer.
  var closesConnection: Bool {
    guard let value = headers[.connection] else { return false }
    return value.split(separator: UInt8(ascii: ",")).contains { part in
      String(decoding: part, as: UTF8.self).lowercased().filter { $0 != " " } == "close"
    }
  }
}

import Basics

/// What is asked of a server.
public struct HTTPRequest: Sendable {
  public var method: String
  public var url: String
  public var headers: [String: String]
  public var body: HTTPBody
  /// How long to wait for the response; nil leaves it to the host.
  public var timeout: Duration?

  public init(
    method: String = "GET", url: String, headers: [String: String] = [:], body: HTTPBody = .none,
    timeout: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// The body of a request.
public struct HTTPBody: Sendable {
  enum Content: Sendable {
    case none
    case json(any Encodable & Sendable)
    case text(String)
    case bytes([UInt8])
  }

  let content: Content

  public static let none = HTTPBody(content: .none)
  /// Any encodable value, a `JSONValue` among them, as canonical JSON.
  public static func json(_ value: some Encodable & Sendable) -> HTTPBody {
    HTTPBody(content: .json(value))
  }
  public static func text(_ text: String) -> HTTPBody { HTTPBody(content: .text(text)) }
  public static func bytes(_ bytes: [UInt8]) -> HTTPBody { HTTPBody(content: .bytes(bytes)) }
}

extension HTTPRequest: Encodable {
  private enum CodingKeys: String, CodingKey {
    case method, url, headers, body, text, base64, timeout
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(method, forKey: .method)
    try members.encode(url, forKey: .url)
    if !headers.isEmpty { try members.encode(headers, forKey: .headers) }
    if let timeout { try members.encode(TimerRequest.text(timeout), forKey: .timeout) }
    switch body.content {
    case .none: break
    case .json(let value): try members.encode(value, forKey: .body)
    case .text(let text): try members.encode(text, forKey: .text)
    case .bytes(let bytes): try members.encode(Base64.encode(bytes), forKey: .base64)
    }
  }
}

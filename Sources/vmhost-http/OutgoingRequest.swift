import Basics
import CanonicalJSON
import Foundation

/// The checked value of an `http` request.
struct OutgoingRequest {
  var method: String
  var url: URL
  /// By lower-case name.
  var headers: [String: String]
  var body: [UInt8]?
  let timeout: Duration

  /// - Throws: `invalid-url` if the URL can't be used, `invalid-request` if anything else in the
  ///   value is not as documented.
  init(value: JSONValue) throws(ProviderError) {
    guard let members = value.objectValue else { throw Self.invalid("The value is not an object.") }
    let known: Set = ["method", "url", "headers", "body", "text", "base64", "timeout"]
    if let unknown = members.keys.filter({ !known.contains($0) }).min() {
      throw Self.invalid("The value has the unknown member \"\(unknown)\".")
    }
    method = try Self.method(members["method"])
    headers = try Self.headers(members["headers"])
    timeout = try Self.timeout(members["timeout"])
    guard let text = members["url"]?.stringValue else {
      throw Self.invalid("\"url\" is missing, or no string.")
    }
    url = try Self.checkedURL(text)
    if let (bytes, type) = try Self.body(members) {
      if method == "GET" || method == "HEAD" {
        throw Self.invalid("A \(method) request can't have a body.")
      }
      body = bytes
      headers["content-type"] = headers["content-type"] ?? type
    }
  }

  private static func invalid(_ message: String) -> ProviderError {
    ProviderError(.invalidRequest, message)
  }

  private static func method(_ value: JSONValue?) throws(ProviderError) -> String {
    guard let method = value?.stringValue else {
      throw invalid("\"method\" is missing or not a string.")
    }
    guard isToken(method), method.uppercased() != "CONNECT" else {
      throw invalid("\"\(method)\" is not an HTTP method.")
    }
    return method
  }

  private static func headers(_ value: JSONValue?) throws(ProviderError) -> [String: String] {
    guard let value else { return [:] }
    guard let object = value.objectValue else {
      throw invalid("\"headers\" must be an object of strings.")
    }
    var headers: [String: String] = [:]
    for (name, value) in object {
      guard let text = value.stringValue else {
        throw invalid(
          "Header \"\(name)\" is not a"
            + " string.")
      }
      guard isToken(name) else { throw invalid("\"\(name)\" is not a header name.") }
      let key = name.lowercased()
      if ["content-length", "transfer-encoding"].contains(key) {
        throw invalid("Header \"\(name)\" follows from the body and can't be set.")
      }
      // A line break in a value would start another header.
      guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
        throw invalid("The value of header \"\(name)\" has a control character.")
      }
      guard headers.updateValue(text, forKey: key) == nil else {
        throw invalid("Header \"\(key)\" appears twice, in different case.")
      }
    }
    return headers
  }

  private static func timeout(_ value: JSONValue?) throws(ProviderError) -> Duration {
    guard let value else { return .seconds(60) }
    let form = "a duration such as \"500ms\", \"30s\" or \"2m\""
    guard let text = value.stringValue else { throw invalid("\"timeout\" is not \(form).") }
    guard let timeout = TimeSpan.parse(text) else {
      throw invalid("\"timeout\" \(TimeSpan.problem(with: text, form: form)).")
    }
    return .nanoseconds(timeout)
  }

  private static func body(
    _ members: [String: JSONValue]
  ) throws(ProviderError) -> (bytes: [UInt8], type: String)? {
    let given = ["body", "text", "base64"].filter { members[$0] != nil }
    if given.count > 1 {
      throw invalid(
        "\"\(given[0])\" and \"\(given[1])\" can't be combined: a request has one"
          + " body.")
    }
    if let value = members["body"] {
      var bytes: [UInt8] = []
      value.append(to: &bytes)
      return (bytes, "application/json")
    }
    if let value = members["text"] {
      guard let text = value.stringValue else { throw invalid("\"text\" is not a string.") }
      return (Array(text.utf8), "text/plain; charset=utf-8")
    }
    if let value = members["base64"] {
      guard let text = value.stringValue, let data = Data(base64Encoded: text) else {
        throw invalid("\"base64\" is not base64.")
      }
      return ([UInt8](data), "application/octet-stream")
    }
    return nil
  }

  /// Reads an absolute http or https URL.
  static func checkedURL(_ text: String) throws(ProviderError) -> URL {
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw ProviderError(
        .invalidURL, "The URL can't be parsed. Percent-encode what isn't allowed in a URL.")
    }
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
      throw ProviderError(.invalidURL, "The URL is not an absolute http or https URL.")
    }
    guard let host = url.host(), !host.isEmpty else {
      throw ProviderError(.invalidURL, "The URL has no host.")
    }
    // Foundation and its libcurl disagree about the brackets, and refuse the request.
    if host.contains(":") {
      throw ProviderError(
        .invalidURL, "The host is an IPv6 address, which is not supported. Use a name.")
    }
    if let port = url.port, !(1...65535).contains(port) {
      throw ProviderError(.invalidURL, "The URL has the impossible port \(port).")
    }
    return url
  }

  /// A token of RFC 9110, section 5.6.2.
  private static func isToken(_ text: String) -> Bool {
    let symbols = "!#$%&'*+-.^_`|~".utf8
    return !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default:
          symbols.contains(byte)
        }
      }
  }
}

import CanonicalJSON
import Foundation
import FoundationNetworking

/// An HTTP response, as the value of a reply.
struct Answer {
  let status: Int
  /// By lower-case name; repeated ones are joined with ", ".
  let headers: [String: String]
  let body: [UInt8]

  init(_ response: HTTPURLResponse, body: Data) {
    status = response.statusCode
    var headers: [String: String] = [:]
    // Foundation joins repeated headers, but treats names in different case as different ones, and
    // loses their order. With sorting, the same answer at least gives the same value.
    let fields = response.allHeaderFields.compactMap { name, value -> (String, String)? in
      guard let name = name as? String, let value = value as? String else { return nil }
      return (name, value)
    }
    for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) {
      let key = name.lowercased()
      headers[key] = headers[key].map { "\($0), \(value)" } ?? value
    }
    self.headers = headers
    self.body = [UInt8](body)
  }

  /// Canonical JSON: `{"body" or "base64", "headers", "status"}` or `{"headers", "status",
  /// "text"}`.
  var value: [UInt8] {
    let content = content
    var value = Array("{".utf8)
    switch content {
    case .json(let bytes): value += Array("\"body\":".utf8) + bytes + Array(",".utf8)
    case .base64(let text): value += Array("\"base64\":\"\(text)\",".utf8)
    case .text: break
    }
    value += Array("\"headers\":".utf8)
    JSONValue.object(headers.mapValues { .string($0) }).append(to: &value)
    value += Array(",\"status\":\(status)".utf8)
    if case .text(let text) = content {
      value += Array(",\"text\":".utf8)
      CanonicalJSON.appendString(text, to: &value)
    }
    value += Array("}".utf8)
    return value
  }

  /// The body as canonical JSON; nil if it isn't JSON, or if the host couldn't read it.
  ///
  /// The body is nested two levels deep in the line for the host, which limits the depth. A line
  /// that the host can't read is no answer, so the request would never end.
  private var canonicalBody: [UInt8]? {
    let nested = Array("[[".utf8) + body + Array("]]".utf8)
    guard (try? JSONValue(parsing: nested.span)) != nil else { return nil }
    return try? CanonicalJSON.bytes(body.span)
  }

  private enum Content {
    case json([UInt8])
    case text(String)
    case base64(String)
  }

  private var content: Content {
    if body.isEmpty { return .text("") }
    let parts = (headers["content-type"] ?? "").lowercased().split(separator: ";").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let type = parts.first ?? ""
    let isJSON = type == "application/json" || type.hasSuffix("+json")
    if isJSON, let canonical = canonicalBody { return .json(canonical) }
    let isUTF8 = parts.dropFirst().contains { ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    if isJSON || isUTF8 || type.hasPrefix("text/"),
      let text = String(validating: body, as: UTF8.self)
    {
      return .text(text)
    }
    return .base64(Data(body).base64EncodedString())
  }
}

import Basics
import CanonicalJSON

/// What a server answered.
public struct HTTPResponse: Sendable {
  public enum Body: Hashable, Sendable {
    /// The raw JSON of a JSON response.
    case json([UInt8])
    case text(String)
    case bytes([UInt8])
  }

  public var status: Int
  public var headers: [String: String]
  public var body: Body

  public init(status: Int, headers: [String: String] = [:], body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Whether the status is one of success: 200 to 299.
  public var isSuccess: Bool { 200..<300 ~= status }

  /// The JSON body as a value of that type.
  ///
  /// Throws `EffectError` with `invalidReply` if the body is no JSON or not of the type.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    guard case .json(let json) = body else {
      throw EffectError(
        code: EffectError.invalidReply,
        message: "The response's body is not JSON, so it can't be decoded as \(type).")
    }
    do {
      return try JSONCoding.decode(type, from: json.span)
    } catch {
      throw EffectError(
        code: EffectError.invalidReply,
        message: "The response's body can't be decoded as \(type):"
          + " \(JSONCoding.message(for: error)).")
    }
  }
}

extension HTTPResponse {
  /// Why a reply is no response.
  struct Malformed: Error {
    var message: String
  }

  /// Reads `{"status","headers","body"|"text"|"base64"}`, leaving the body's JSON as it is.
  init(reply: [UInt8]) throws(Malformed) {
    var status: Int?
    var headers: [String: String] = [:]
    var body: Body?
    do {
      let json = reply.span
      var offset = 0
      JSONScanner.skipWhitespace(in: json, at: &offset)
      guard offset < json.count, json[offset] == UInt8(ascii: "{") else {
        throw Malformed(message: "it is not an object")
      }
      while let (key, range) = try JSONScanner.nextMember(in: json, at: &offset) {
        let value = json.extracting(range)
        switch try CanonicalJSON.unescape(json.extracting(key.content)) {
        case "status": status = try JSONCoding.decode(Int.self, from: value)
        case "headers": headers = try JSONCoding.decode([String: String].self, from: value)
        case "body": body = .json(Array(copying: value))
        case "text": body = .text(try JSONCoding.decode(String.self, from: value))
        case "base64":
          let text = try JSONCoding.decode(String.self, from: value)
          guard let bytes = Base64.decode(text) else {
            throw Malformed(message: "its \"base64\" is not base64")
          }
          body = .bytes(bytes)
        default: break
        }
      }
    } catch let error as Malformed {
      throw error
    } catch {
      throw Malformed(message: JSONCoding.message(for: error))
    }
    guard let status else { throw Malformed(message: "it has no \"status\"") }
    self.init(status: status, headers: headers, body: body ?? .text(""))
  }
}

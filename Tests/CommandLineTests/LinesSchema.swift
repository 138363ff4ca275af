import CanonicalJSON
import Foundation
import Synchronization
import TestSupport
import Testing

/// The published schema of JSON Lines, which everything that the tests print is checked against.
final class LinesSchema: Sendable {
  static let path = "Documentation/Schemas/lines.schema.json"
  static let shared = Result { try LinesSchema() }

  private let text: String
  private let kinds: [String: JSONValue]
  private let out: JSONSchema
  private let `in`: JSONSchema
  /// Lines that were looked at and are right: most sessions have lines of others.
  private let allowed = Mutex<Set<String>>([])

  private init() throws {
    text = try Repository.text(Self.path)
    let schema = try JSONValue(parsing: Array(text.utf8).span)
    var kinds: [String: JSONValue] = [:]
    for reference in schema["$defs"]?["out"]?["anyOf"]?.arrayValue ?? [] {
      let name = (reference["$ref"]?.stringValue ?? "").replacing("#/$defs/", with: "")
      kinds[name] = schema["$defs"]?[name]?["properties"]
    }
    self.kinds = kinds
    out = try JSONSchema(text, definition: "out")
    `in` = try JSONSchema(text, definition: "in")
  }

  var codes: [String] {
    get throws {
      let schema = try JSONValue(parsing: Array(text.utf8).span)
      let refused = schema["$defs"]?["refused"]?["properties"]?["code"]?["enum"]
      return (refused?.arrayValue ?? []).compactMap(\.stringValue)
    }
  }

  func allowsIn(_ line: String) throws -> Bool {
    guard let value = try? JSONValue(parsing: Array(line.utf8).span) else { return false }
    return try `in`.allows(value)
  }

  func allowsOut(_ line: String) throws -> Bool {
    try out.allows(try JSONValue(parsing: Array(line.utf8).span))
  }

  /// The first lines of a session that the schema doesn't have, or that have a member which it
  /// doesn't have. Of a long session, only the beginning is looked at.
  func unknownLines(_ stdout: String) throws -> [Substring] {
    guard stdout.hasPrefix("{\"kind\":\"session\"") else { return [] }
    return try stdout.split(separator: "\n").prefix(2000).filter { line in
      guard line.utf8.count < 100_000, !allowed.withLock({ $0.contains(String(line)) }) else {
        return false
      }
      let value = try JSONValue(parsing: Array(line.utf8).span)
      let known = kinds[value["kind"]?.stringValue ?? ""]?.objectValue ?? [:]
      let members = value.objectValue ?? [:]
      guard try members.keys.allSatisfy({ known[$0] != nil }) && out.allows(value) else {
        return true
      }
      if line.utf8.count < 1000 { _ = allowed.withLock { $0.insert(String(line)) } }
      return false
    }
  }
}

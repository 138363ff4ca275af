import Foundation
import HostCore
import Testing

@testable import vmhost

/// A page that vmhost wrote.
struct PageFile {
  let html: String

  init(_ path: String) throws { html = try String(contentsOfFile: path, encoding: .utf8) }
  init(bytes: [UInt8]) { html = String(decoding: bytes, as: UTF8.self) }

  /// The content of its only element with this opening tag.
  func content(of tag: String) throws -> String {
    let parts = html.components(separatedBy: tag)
    try #require(parts.count == 2)
    let name = try #require(tag.dropFirst().split(whereSeparator: " >".contains).first)
    return try #require(parts[1].components(separatedBy: "</\(name)>").first)
  }

  /// The lines of its data.
  func lines() throws -> [String] {
    try content(of: "<script type=\"application/x-ndjson\" id=\"data\">")
      .replacing("\\u003c", with: "<").split(separator: "\n").map(String.init)
  }

  /// The lines of these kinds.
  func lines(_ kinds: String...) throws -> [String] {
    try lines().filter { line in kinds.contains { line.hasPrefix("{\"kind\":\"\($0)\"") } }
  }
}

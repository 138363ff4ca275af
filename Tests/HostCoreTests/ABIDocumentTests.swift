import CanonicalJSON
import Foundation
import Testing

@testable import HostCore

/// What `Documentation/ABI.md` says of the host is what the host does.
struct ABIDocumentTests {
  private static func document() throws -> String {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let url = package.appendingPathComponent("Documentation/ABI.md")
    return try String(contentsOf: url, encoding: .utf8)
  }

  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0 && index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  @Test func `its limits are the host's`() throws {
    let document = try Self.document()
    let limits = StepLimits()
    for limit in StepLimit.allCases {
      let value = limit.isSize ? "SIZE" : "NUMBER"
      let cell = "| \(Self.grouped(limits[limit])); `--limit \(limit.rawValue)=\(value)` |"
      #expect(document.contains(cell))
    }
    #expect(document.contains("\(StorageSize.ofEntry) bytes more count"))
    let seconds = limits.time / 1_000_000_000
    #expect(document.contains("| time of a step | \(seconds) s;"))
  }

  @Test func `it has each word of a schema that the host understands`() throws {
    let document = try Self.document()
    for word in SchemaWord.allCases { #expect(document.contains("`\(word.rawValue)`")) }
  }

  @Test func `it has each effect that the engine simulates`() throws {
    let document = try Self.document()
    for effect in SimulatedEffect.names { #expect(document.contains("| `\(effect)` | `{")) }
  }
}

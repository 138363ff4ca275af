import Foundation
import PluginABI
import Testing

/// `Documentation/ABI.md` says what the header, the example and the host say.
struct DocumentTests {
  private static func read(_ path: String) throws -> String {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
  }

  private static func document() throws -> String { try read("Documentation/ABI.md") }

  private static func header() throws -> String {
    try read("Sources/PluginABI/include/vm_plugin.h")
  }

  @Test func `its snippets are parts of the example, which is built`() throws {
    let example = try Self.read("Examples/EchoPlugin/echo.c")
    let parts = try Self.document().components(separatedBy: "```")
    let snippets = parts.filter { $0.hasPrefix("c\n") }.map { String($0.dropFirst(2)) }
    #expect(snippets.count == 3)
    for snippet in snippets { #expect(example.contains(snippet), "\(snippet)") }
  }

  private static func names(in text: String) -> Set<String> {
    Set(text.matches(of: /\bVM_[A-Z0-9_]+\b/).map { String($0.output) })
  }

  @Test func `it speaks of each constant of the header and of no other`() throws {
    var known = Self.names(in: try Self.header())
    known.remove("VM_PLUGIN_H")
    #expect(known.count == 23)
    #expect(Self.names(in: try Self.document()).symmetricDifference(known) == [])
  }

  @Test func `it names the version`() throws {
    let title = try Self.document().prefix { $0 != "\n" }
    #expect(title == "# The plugin ABI, version \(VM_ABI_MAJOR).\(VM_ABI_MINOR)")
    #expect(try Self.header().contains("version \(VM_ABI_MAJOR).\(VM_ABI_MINOR)."))
  }
}

import CanonicalJSON
import Foundation
import TestSupport
import Testing

struct DocumentationTests {
  @Test func `the provider in the document works as it stands`() async throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = root.appendingPathComponent("Documentation/EffectProviders.md").path
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let start = try #require(text.range(of: "```sh\n")?.upperBound)
    let end = try #require(text.range(of: "```", range: start..<text.endIndex)?.lowerBound)
    let script = String(text[start..<end])
    #expect(script.split(separator: "\n").count < 15)
    let input = """
      {"kind":"request","id":18446744073709551615,"effect":"greet","value":{"to":"you"}}
      {"effect":"greet","id":2,"kind":"request"}
      {"kind":"cancel","id":2}
      {"kind":"request","id":3,"effect":"other"}

      """
    let output = try await ChildProcess.run("/bin/sh", ["-c", script], input: .text(input))
    #expect(
      output.lines == [
        #"{"kind":"reply","id":18446744073709551615,"value":"Hello!"}"#,
        #"{"kind":"reply","id":2,"value":"Hello!"}"#,
        #"{"kind":"error","id":3,"code":"failed","message":"I only greet."}"#,
      ])
    #expect(output.stderr == "")
    #expect(output.status == .success)
    for line in output.lines { _ = try JSONValue(parsing: Array(line.utf8).span) }
  }
}

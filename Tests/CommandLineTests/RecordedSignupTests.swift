import Foundation
import TestSupport
import Testing

/// The recorded sign-up among the examples.
struct RecordedSignupTests {
  private static let file = "Examples/recorded-signup.vmt"

  @Test func `goes from empty fields to the end, and overtakes the checks of names`() throws {
    let recorded = try Repository.text(Self.file)
    #expect(recorded.contains("\n@recorded {\n    \"clock\": \"live\""))
    #expect(recorded.hasSuffix("\n> promptAnswer \"OK\"\n< signedIn true\n@end\n"))
    #expect(!recorded.contains("\"/"), "a path of the machine that it was recorded on")
    let lines = recorded.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("> username ") }.count == 5)
    #expect(lines.filter { $0.hasPrefix("x ") } == ["x 1", "x 3", "x 4"])
    #expect(lines.filter { $0.hasPrefix("! ") }.map { $0.prefix(16) } == Self.answers)
  }

  private static let answers: [Substring] = [#"! 2 {"status":20"#, #"! 5 {"status":40"#]

  @Test func `is replayed, and says itself when it is recorded again`() async throws {
    let path = try "\(Repository.root())/\(Self.file)"
    let body = try Recording(nil, path).body
    let session = try #require(body.firstRange(of: "@open ")).lowerBound
    try await VMHostRun.expect(
      ["replay", path, "--format", "text"],
      stdout: String(body[session...].dropLast("@end\n".count)))
    try await TemporaryDirectory.with { directory in
      let again = try await Recording.of(
        ["run", "--script", path, "--clock", "virtual", "--format", "text"]
          + ["--effect", "http=cat >/dev/null"], .null, in: directory)
      #expect(again.output.status == .success, "\(again.output.stderr)")
      let isSame = again.body == body
      #expect(isSame, "\(again.text)")
    }
  }
}

import CanonicalJSON
import TestSupport
import Testing

@testable import vmhost

/// The coverage of ports for programs, and its threshold.
struct PortCoverageTests {
  private static let half = "vmt 1\n@plugin echo.so\n@open echo\n"

  @Test func `is the same JSON as in CI.md`() async throws {
    let example = try #require(
      try Repository.text("Documentation/CI.md").split(separator: "```json\n").dropFirst().first?
        .split(separator: "```").first)
    try await TestFolder.with(["a.vmt": Sample.passed]) { folder in
      let output = try await folder.test(["a.vmt", "--port-coverage-file", "c.json"])
      // Only with --port-coverage it is for people, too.
      #expect(output.stdout == "1 passed in TIME\n")
      let text = try folder.text("c.json")
      #expect(
        text.replacing("\"touched\":2", with: "\"touched\":1")
          .replacing("\"said\",\"touched\":true", with: "\"said\",\"touched\":false") == example)
      #expect(throws: Never.self) { try JSONValue(parsing: Array(text.utf8).span) }
    }
  }

  @Test(arguments: [
    (
      1,
      "0% of the ports are touched (0 of 2), not 1%. Untouched: input echo.say and signal"
        + " echo.said."
    ),
    (
      100,
      "0% of the ports are touched (0 of 2), not 100%. Untouched: input echo.say and signal"
        + " echo.said."
    ),
  ])
  func `below the threshold fails the run, and names some that are missing`(
    _ minimum: Int, _ message: String
  ) async throws {
    try await TestFolder.with(["a.vmt": Self.half]) { folder in
      let arguments = ["a.vmt", "--port-coverage-min", "\(minimum)", "--events", "e.jsonl"]
      let output = try await folder.test(arguments)
      #expect(output.stderr == "vmhost: --port-coverage-min: \(message)\n")
      #expect(output.status == .exited(1))
      #expect(try folder.events("e.jsonl").end?.status == 1)
    }
  }

  @Test func `is rounded down, and counts the ports that it doesn't name`() async throws {
    let list = "vmt 1\n@plugin movies.so\n@open movies.list\n"
    try await TestFolder.with(["a.vmt": list + FirstFrame.movies]) { folder in
      // 6 of 26 are 23.08%.
      let enough = try await folder.test(["a.vmt", "--port-coverage-min", "23"])
      #expect(enough.stderr == "")
      #expect(enough.status == .success)
      let output = try await folder.test(["a.vmt", "--port-coverage-min", "24"])
      #expect(
        output.stderr.hasPrefix(
          "vmhost: --port-coverage-min: 23% of the ports are touched (6 of 26), not 24%. Untouched:"
            + " input movies.details."), "\(output.stderr)")
      #expect(output.stderr.hasSuffix(" and 17 more.\n"))
      #expect(output.status == .exited(1))
    }
  }

  @Test func `just at the threshold is enough`() async throws {
    try await TestFolder.with(["a.vmt": Sample.passed]) { folder in
      let output = try await folder.test(["a.vmt", "--port-coverage-min", "100"])
      #expect(output.stderr == "")
      #expect(output.status == .success)
    }
  }

  @Test func `doesn't hide a worse status, and isn't judged where the run stopped`() async throws {
    try await TestFolder.with(["a.vmt": Sample.invalid, "b.vmt": Self.half]) { folder in
      let whole = try await folder.test([".", "--port-coverage-min", "50"])
      #expect(whole.complaints.hasPrefix("vmhost: --port-coverage-min: 0% of the ports"))
      #expect(whole.status == .exited(2))
      let stopped = try await folder.test([".", "--port-coverage-min", "50", "--fail-fast", "-j1"])
      #expect(stopped.complaints == "")
      let none = try await folder.test(["a.vmt", "--port-coverage-min", "50"])
      #expect(
        none.complaints
          == "vmhost: --port-coverage-min: no plugin was loaded, so nothing is touched.")
    }
  }

  @Test func `that can't be written stops the run before it begins`() async throws {
    try await TestFolder.with(["a.vmt": Sample.passed]) { folder in
      let output = try await folder.test(["a.vmt", "--port-coverage-file", "no/c.json"])
      #expect(output.stdout == "")
      #expect(
        output.stderr == "vmhost: could not write \"no/c.json\": No such file or directory.\n")
      #expect(output.status == .exited(74))
    }
  }
}

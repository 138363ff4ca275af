import Foundation
import HostCore
import TestSupport
import Testing

/// `vmhost run --html`.
struct RunPageTests {
  private static let script = "> say {\"k\":\"</script>\"}\n+ 300ms\n> say 2\n"

  @Test(arguments: ["text", "jsonl"])
  func `has the lines of the session, and changes nothing of what is printed`(
    _ format: String
  ) async throws {
    let arguments = [
      "run", "echo.so", "--script", "s.vmt", "--clock", "virtual", "--seed", "1", "--time",
      "2026-01-31T12:00:00Z",
    ]
    try await TemporaryDirectory.with { folder in
      try folder.write(Self.script, to: "s.vmt")
      let plain = try await VMHostRun.output(
        arguments + ["--format", format], workingDirectory: folder.path)
      let steps = try await VMHostRun.output(
        arguments + ["--format", "jsonl", "--steps"], workingDirectory: folder.path)
      try await VMHostRun.expect(
        arguments + ["--format", format, "--html", "page.html"], workingDirectory: folder.path,
        stdout: plain.stdout)
      let lines = try PageFile(folder.file("page.html")).lines()
      #expect(
        lines.prefix(3) == [
          "{\"kind\":\"page\",\"schema\":1,\"type\":\"session\",\"title\":\"s.vmt\"}",
          "{\"kind\":\"trace\",\"source\":\"s.vmt\",\"played\":true}",
          "{\"kind\":\"viewModel\",\"plugin\":\"echo\",\"id\":\"echo\",\"inputs\":[\"say\"],"
            + "\"states\":[],\"signals\":[\"said\"],\"requests\":[]}",
        ])
      #expect(lines.dropFirst(3) == steps.stdout.split(separator: "\n").map(String.init)[...])
    }
  }

  /// They are delivered together, and printed in parts.
  @Test(arguments: ["text", "jsonl"])
  func `has each of many large lines in its place`(_ format: String) async throws {
    let letters = String(repeating: "x", count: 100_000)
    let script = (1...40).map { "> say \"\($0) \(letters)\"\n" }.joined()
    try await TemporaryDirectory.with { folder in
      let output = try await VMHostRun.output(
        ["run", "echo.so", "--format", format, "--html", "page.html"],
        .bytes(Array(script.utf8)), workingDirectory: folder.path)
      #expect(output.status == .exited(0))
      let lines = try PageFile(folder.file("page.html")).lines("step", "output").dropFirst()
      let found = lines.map { line in
        let kind = line.hasPrefix(#"{"kind":"step""#) ? "step" : "output"
        return "\(kind) \(line.split(separator: "\"value\":\"").last?.prefix { $0 != " " } ?? "")"
      }
      #expect(found == (1...40).flatMap { ["step \($0)", "output \($0)"] })
    }
  }

  @Test func `is written when a plugin breaks down, too`() async throws {
    try await TemporaryDirectory.with { folder in
      let output = try await VMHostRun.output(
        ["run", "kitfixture.so", "--view-model", "kit.faults", "--html", "page.html"],
        .bytes(Array("> trap 9\n".utf8)), workingDirectory: folder.path)
      #expect(output.status == .exited(6))
      let page = try PageFile(folder.file("page.html"))
      #expect(try page.lines("step").last?.contains("\"name\":\"trap\",\"value\":9") == true)
      #expect(try page.lines("end")[0].contains("\"status\":6,\"message\":"))
    }
  }

  @Test func `has no secret`() async throws {
    try await TemporaryDirectory.with { folder in
      let value = "s3cret-\"value\""
      let script = "> say \"s3cret-\\\"value\\\"\"\n"
      let output = try await VMHostRun.output(
        ["run", "echo.so", "--secret", "token=TOKEN", "--html", "page.html"],
        .bytes(Array(script.utf8)), environment: ["TOKEN": value], workingDirectory: folder.path)
      #expect(output.status == .exited(0))
      let page = try PageFile(folder.file("page.html"))
      #expect(!page.html.contains("s3cret"))
      #expect(try page.lines("step").last?.hasSuffix("\"value\":\"SECRET_token\"}") == true)
    }
  }

  @Test func `can't be written where there is no folder`() async throws {
    try await TemporaryDirectory.with { folder in
      let output = try await VMHostRun.output(
        ["run", "echo.so", "--html", "no/page.html"], workingDirectory: folder.path)
      #expect(output.stderr.contains("could not write \"no/page.html\""))
      #expect(output.status == .exited(74))
    }
  }
}

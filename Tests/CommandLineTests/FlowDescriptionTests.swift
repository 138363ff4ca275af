import TestSupport
import Testing

/// `vmhost describe --flow`.
struct FlowDescriptionTests {
  private static func path(_ example: String) throws -> String {
    "\(try Repository.root())/Examples/flows/\(example).json"
  }

  @Test(arguments: [("movies", 1), ("cinema", 2)])
  func `draws the charts that Flows.md shows`(_ example: String, number: Int) async throws {
    let text = try Repository.text("Documentation/Flows.md")
    let charts = text.split(separator: "```mermaid\n")
    try #require(charts.count == 3)
    try await VMHostRun.expect(
      [
        "describe", "movies.so", "account.so", "--flow", Self.path(example), "--format", "mermaid",
      ], stdout: String(try #require(charts[number].split(separator: "```").first)))
  }

  @Test func `says in words where a flow leads`() async throws {
    try await VMHostRun.expect(
      ["describe", "account.so", "--flow", Self.path("account")],
      stdout: VMHostRun.golden("describe-flow.text"))
  }

  @Test(arguments: ["movies", "account", "cinema"])
  func `writes a flow that says the same`(_ example: String) async throws {
    let whole = try await VMHostRun.output(
      ["describe", "--flow", Self.path(example), "--format", "json"])
    #expect(whole.status == .success)
    try await TemporaryDirectory.with { directory in
      try directory.write(whole.stdout, to: "whole.json")
      for format in ["json", "text"] {
        let first = try await VMHostRun.output(
          ["describe", "--flow", Self.path(example), "--format", format])
        let second = try await VMHostRun.output(
          [
            "describe", "movies.so", "account.so", "--flow", directory.file("whole.json"),
            "--format", format,
          ])
        #expect(second.status == .success, "\(second.stderr)")
        // The words keep the order of the file, which canonical JSON has changed.
        let lines = [first, second].map { $0.stdout.split(separator: "\n").count }
        #expect(format == "text" ? lines[0] == lines[1] : second.stdout == whole.stdout)
      }
    }
  }

  @Test func `takes any plugin's names without one, and checks them with one`() async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write(
        #"""
        {"start":{"open":"a.end"},"on":{
        "end.subgraph":[{"open":"a.end","as":"start"},{"feed":"start.go","value":["$value"]},
          {"feed":"start.stop","mayRepeat":true}],
        "start.x":{"close":"start"},"start.empty":[]}}
        """#, to: "f.json")
      let arguments = ["describe", "--flow", "f.json"]
      try await VMHostRun.expect(
        arguments + ["--format", "mermaid"], workingDirectory: directory.path,
        stdout: #"""
          flowchart LR
            start([start])
            n1["end<br/>a.end"]
            n2["start<br/>a.end"]
            start --> n1
            n1 -->|"subgraph"| n2
            n1 ==>|"subgraph → go"| n2
            n1 ==>|"subgraph → stop"| n2
            n2 -.->|"x"| n2

          """#)
      try await VMHostRun.expect(
        arguments, workingDirectory: directory.path,
        stdout: #"""
          start
            open end (a.end)

          end (a.end)
            subgraph  open start (a.end)
                      feed start.go with ["$value"]
                      feed start.stop, which may repeat

          start (a.end)
            x      close start
            empty  nothing

          """#)
      try await VMHostRun.expect(
        arguments + ["echo.so"], workingDirectory: directory.path,
        stderr: #"""
          vmhost: f.json:1:18: there is no view model "a.end". There are: "echo".
            1 | {"start":{"open":"a.end"},"on":{
              |                  ^

          """#, status: 2)
    }
  }
}

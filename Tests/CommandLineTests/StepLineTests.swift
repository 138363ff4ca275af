import CanonicalJSON
import TestSupport
import Testing

/// `run --steps`: what makes each step, before what it leads to.
struct StepLineTests {
  /// The lines in short. A `step` is written as it is, but for its first members.
  private static func summary(_ stdout: String) throws -> [String] {
    try stdout.split(separator: "\n").compactMap { line in
      let json = try JSONValue(parsing: Array(line.utf8).span)
      let text = { (name: String) in json[name]?.canonicalText.replacing("\"", with: "") ?? "" }
      switch text("kind") {
      case "step":
        let rest = line.replacing(/^.*?"action":/, with: "").dropLast()
        return "\(text("step")) \(rest)"
      case "session", "end", "frame": return nil
      case "done": return "done \(text("seq")) @\(text("step"))"
      case "go": return "go \(text("step"))"
      case "refused": return "refused \(text("seq"))"
      default: return "\(text("kind")) \(text("name"))\(text("effect"))\(text("viewModel"))"
      }
    }
  }

  private func run(
    _ arguments: [String], _ lines: [String], environment: [String: String] = [:]
  ) async throws -> ChildProcess.Output {
    try await VMHostRun.output(
      arguments + ["--steps"], .text(lines.map { "\($0)\n" }.joined()), environment: environment)
  }

  private func expect(
    _ arguments: [String], _ lines: [String], _ expected: [String], status: Int32 = 0,
    environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let output = try await run(arguments, lines, environment: environment)
    #expect(try Self.summary(output.stdout) == expected, sourceLocation: sourceLocation)
    #expect(output.status == .exited(status), sourceLocation: sourceLocation)
  }

  private static let kit = ["run", "kitfixture.so", "--view-model", "kit.effects=kit"]

  @Test(arguments: [[], ["--in-process"], ["--record"]])
  func `each step has its line, whatever makes it`(_ more: [String]) async throws {
    try await TemporaryDirectory.with { directory in
      let more = more == ["--record"] ? ["--record", directory.file("a.vmt")] : more
      try await expect(
        Self.kit + Arguments.jsonl + more,
        [
          #"{"name":"locate","value":{"city":"Graz"},"seq":1}"#,
          #"{"kind":"reply","id":1,"value":{"city":"found"},"seq":2}"#,
          #"{"name":"locate","value":{"city":"Linz"}}"#,
          #"{"kind":"error","id":2,"code":"lost","message":"no map"}"#,
          #"{"kind":"open","viewModel":"kit.random","instance":"b","config":{"sides":9}}"#,
          #"{"instance":"b","name":"nothing","seq":3}"#,
          #"{"kind":"close","instance":"b"}"#,
        ],
        [
          #"1 "open","instance":"kit","name":"kit.effects""#,
          #"2 "input","instance":"kit","name":"locate","value":{"city":"Graz"}"#,
          "request geo.locate", "done 1 @2",
          #"3 "reply","instance":"kit","name":"geo.locate","id":1,"value":{"city":"found"}"#,
          "output result", "done 2 @3",
          #"4 "input","instance":"kit","name":"locate","value":{"city":"Linz"}"#,
          "request geo.locate",
          #"5 "error","instance":"kit","name":"geo.locate","id":2,"#
            + #""value":{"code":"lost","message":"no map"}"#,
          "output failed",
          #"6 "open","instance":"b","name":"kit.random","value":{"sides":9}"#,
          "output sides", "refused 3", #"7 "close","instance":"b""#,
        ])
    }
  }

  @Test func `inputs that are delivered together are told apart`() async throws {
    let count = 5000
    let output = try await run(
      ["run", "echo.so"] + Arguments.jsonl,
      // Only every third one is answered.
      (1...count).map {
        #"{"name":"say","value":\#($0)\#($0 % 3 == 0 ? ",\"seq\":\($0)" : "")}"#
      })
    let expected = (1...count).flatMap {
      [#"\#($0 + 1) "input","instance":"echo","name":"say","value":\#($0)"#, "output said"]
        + ($0 % 3 == 0 ? ["done \($0) @\($0 + 1)"] : [])
    }
    #expect(try Self.summary(output.stdout).suffix(expected.count) == expected[...])
  }

  @Test func `timers of one time are one step, what is refused is none, and going back counts`()
    async throws
  {
    let timers = ["3 \"timers\"", "output items", "output isEmpty", "output loading"]
    let output = try await run(
      ["run", "movies.so"] + Arguments.jsonl,
      [
        #"{"name":"didSearch","value":"jaws","seq":1}"#, #"{"name":"didSearch","value":7,"seq":2}"#,
        #"{"kind":"advance","by":"1s","seq":3}"#, #"{"kind":"go","step":2,"seq":4}"#,
        #"{"kind":"advance","by":"idle","seq":5}"#, #"> didSearch "alien""#,
      ])
    #expect(
      try Self.summary(output.stdout).dropFirst(7) == [
        #"2 "input","instance":"list","name":"didSearch","value":"jaws""#,
        "output items", "output loading", "output query", "done 1 @2", "refused 2",
      ] + timers + ["done 3 @3", "go 2", "done 4 @2"] + timers + [
        "done 5 @3", #"4 "input","instance":"list","name":"didSearch","value":"alien""#,
        "output items", "output isEmpty", "output loading", "output query",
      ])
    // A step says when it began.
    #expect(output.stdout.contains(#"{"kind":"step","t":0.2,"step":3,"action":"timers"}"#))
  }

  @Test func `what the flow and a provider do has its place`() async throws {
    let flow = ["run", "movies.so", "--flow", "Examples/flows/movies.json"] + Arguments.jsonl
    let output = try await run(
      flow, [#"> list.didSearch "jaws""#, "+ idle", "> list.didSelectItem 0", "@close details"])
    let summary = try Self.summary(output.stdout)
    #expect(summary.first == #"1 "open","instance":"list","name":"movies.list""#)
    #expect(
      summary.suffix(9) == [
        #"4 "input","instance":"list","name":"didSelectItem","value":0"#,
        "output showMovieDetails", "open movies.details", "output title", "output overview",
        "output isPosterImageHidden", "output posterImage",
        #"5 "close","instance":"details""#, "close ",
      ])

    try await expect(
      Self.kit + Arguments.jsonl + [
        "--effect", #"ping=sed -u -n 's/.*"id":\([0-9]*\).*/{"kind":"reply","id":\1}/p'"#,
      ], [#"{"name":"ping","seq":1}"#, "+ idle"],
      [
        #"1 "open","instance":"kit","name":"kit.effects""#,
        #"2 "input","instance":"kit","name":"ping""#, "request ping", "done 1 @2",
        #"3 "reply","instance":"kit","name":"ping","id":1"#, "output result",
      ])
  }

  @Test(
    arguments: [
      ("create:abort", #"1 "open","instance":"acting","name":"acting","value":{"act":""#),
      ("send:abort", #"2 "input","instance":"acting","name":"go""#),
    ])
  func `the step in which a plugin breaks down has its line`(
    _ act: String, _ last: String
  ) async throws {
    let output = try await run(
      ["run", "hostilefixture.so", "--config", "{\"act\":\"\(act)\"}"] + Arguments.jsonl,
      ["> go", "> go", "> go"])
    #expect(output.status == .exited(6))
    #expect(try Self.summary(output.stdout).last?.hasPrefix(last) == true)
  }

  @Test func `no secret is in a step`() async throws {
    let output = try await run(
      ["run", "echo.so", "--secret", "a=KEY"] + Arguments.jsonl, [#"> say "s3cr3t""#],
      environment: ["KEY": "s3cr3t"])
    #expect(output.stdout.contains(#""name":"say","value":"SECRET_a"}"#))
    #expect(!output.stdout.contains("s3cr3t"))
  }

  @Test func `are only for JSON Lines`() async throws {
    try await VMHostRun.expect(
      Arguments.echo + ["--steps"],
      stderr: "vmhost: --steps is only for JSON Lines. Add --format jsonl, or leave it out.\n",
      status: 2)
  }
}

import CanonicalJSON
import TestSupport
import Testing

/// The answers to lines that have a number.
struct AnswerTests {
  /// What comes out, in short: `done 7 @3` is the answer to line 7, in step 3.
  static func summary(_ stdout: String) throws -> [String] {
    try stdout.split(separator: "\n").compactMap { line in
      let line = try JSONValue(parsing: Array(line.utf8).span)
      let text = { (name: String) in line[name]?.canonicalText.replacing("\"", with: "") ?? "" }
      return switch text("kind") {
      case "done": "done \(text("seq")) @\(text("step"))"
      case "refused": "refused \(text("seq"))\(text("line")) \(text("code"))"
      case "output" where ["info", "second"].contains(text("name")): nil
      case "output": "\(text("instance")).\(text("name")) \(text("value"))"
      case "request", "cancel": "\(text("kind")) \(text("instance")).\(text("id"))"
      case "log", "fault": "\(text("kind")) \(text("line"))\(text("message"))"
      case "frame": "frame \(text("seq")) \(text("states"))"
      case "open", "close": "\(text("kind")) \(text("instance"))"
      default: nil
      }
    }
  }

  private static let echo = ["run", "echo.so"] + Arguments.jsonl

  private func expect(
    _ arguments: [String], _ lines: [String], _ expected: [String], status: Int32 = 0,
    stderr: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for place in [[], ["--in-process"]] {
      let output = try await VMHostRun.output(
        arguments + place, .text(lines.joined(separator: "\n") + "\n"))
      #expect(try Self.summary(output.stdout) == expected, sourceLocation: sourceLocation)
      #expect(output.status == .exited(status), sourceLocation: sourceLocation)
      if let stderr { #expect(output.stderr == stderr, sourceLocation: sourceLocation) }
    }
  }

  @Test func `an answer comes behind all that its line caused`() async throws {
    try await expect(
      Self.echo,
      [
        #"{"name":"say","value":1,"seq":10}"#, #"{"name":"say","value":2}"#,
        #"{"seq":7,"name":"say","value":3}"#, #"{"name":"say","value":4,"seq":10}"#,
        #"{"kind":"advance","by":"1s","seq":9007199254740991}"#,
        #"{"kind":"close","instance":"echo","seq":0}"#,
      ],
      [
        "echo.said 1", "done 10 @2", "echo.said 2", "echo.said 3", "done 7 @4", "echo.said 4",
        "done 10 @5", "done 9007199254740991 @5", "done 0 @6",
      ], stderr: "")
  }

  @Test func `a refused input leaves those around it alone`() async throws {
    var lines: [String] = []
    var expected: [String] = []
    // More than are delivered together, with a refusal at each kind of place.
    for number in 0..<5000 {
      let isRefused = number == 0 || number % 1000 == 7 || number == 4999
      lines.append(
        "{\"name\":\"setNumber\",\"value\":\(isRefused ? "\"x\"" : "\(number)"),\"seq\":\(number)}")
      if isRefused {
        expected.append("refused \(number) value")
      } else {
        expected.append("ports.number \(number)")
        expected.append("done \(number)")
      }
    }
    let arguments = ["run", "kitfixture.so", "--view-model", "kit.ports"] + Arguments.jsonl
    let output = try await VMHostRun.output(arguments, .text(lines.joined(separator: "\n")))
    let summary = try Self.summary(output.stdout).drop { !$0.hasPrefix("refused") }
    let found = summary.map { $0.hasPrefix("done") ? "\($0.prefix { $0 != "@" }.dropLast())" : $0 }
    #expect(found == expected)
    #expect(summary.last { $0.hasPrefix("done") } == "done 4998 @4994")
    #expect(output.status == .success)
  }

  private static let refusals: [(line: String, code: String)] = [
    (#"{"name":"say","value":1,"seq":1"#, "syntax"),
    (#"{"seq":1,"name":"say","value":tru}"#, "syntax"),
    (#"{"nmae":"say","seq":1}"#, "syntax"),
    (#"{"kind":"open","viewModel":"echo","instance":"1st","seq":1}"#, "syntax"),
    (#"{"kind":"advance","by":"soon","seq":1}"#, "syntax"),
    (#"{"kind":"reply","id":0,"seq":1}"#, "syntax"),
    (#"{"instance":"ecko","name":"say","value":1,"seq":1}"#, "unknown-instance"),
    (#"{"name":"say","value":1,"seq":1}"#, "unknown-instance"),
    (#"{"kind":"close","instance":"ecko","seq":1}"#, "unknown-instance"),
    (#"{"kind":"frame","instance":"ecko","seq":1}"#, "unknown-instance"),
    (#"{"instance":"gone","name":"say","value":1,"seq":1}"#, "closed"),
    (#"{"kind":"close","instance":"gone","seq":1}"#, "closed"),
    (#"{"kind":"reply","instance":"gone","id":1,"seq":1}"#, "closed"),
    (#"{"kind":"frame","instance":"gone","seq":1}"#, "closed"),
    (#"{"kind":"open","viewModel":"ecko","seq":1}"#, "unknown-view-model"),
    (#"{"kind":"open","viewModel":"echo","seq":1}"#, "handle-taken"),
    (#"{"kind":"open","viewModel":"echo","instance":"e","config":[],"seq":1}"#, "config"),
    (
      #"{"kind":"open","viewModel":"echo","instance":"e","config":{"a":"$secret:b"},"seq":1}"#,
      "config"
    ),
    (#"{"kind":"open","viewModel":"kit.random","config":{"sides":"six"},"seq":1}"#, "config"),
    (#"{"instance":"echo","name":"sya","value":1,"seq":1}"#, "unknown-input"),
    (#"{"instance":"ports","name":"setNumber","value":"x","seq":1}"#, "value"),
    (#"{"instance":"ports","name":"setNumber","seq":1}"#, "value"),
    (#"{"instance":"refuser","name":"go","seq":1}"#, "refused-by-plugin"),
    (#"{"kind":"reply","instance":"echo","id":1,"seq":1}"#, "unknown-request"),
    (#"{"kind":"error","instance":"effects","id":7,"code":"a","seq":1}"#, "unknown-request"),
    (#"{"kind":"reply","instance":"effects","id":1,"seq":1}"#, "unknown-request"),
    (#"{"kind":"go","step":99,"seq":1}"#, "unsupported"),
    (#"{"kind":"dance","seq":1}"#, "unsupported"),
  ]

  /// Opens everything that the refusals are about.
  private static let stage = [
    "@plugin echo.so", "@plugin kitfixture.so", "@plugin brokenfixture.so", "@open echo",
    "@open echo as gone", "@close gone", "@open kit.ports", "@open kit.effects",
    #"@open broken as refuser {"fault":"send-failed","key":null}"#, "> effects.ping",
    "! effects.1",
  ]

  @Test(arguments: refusals)
  func `a line is refused with a code, and the session goes on`(
    _ refusal: (line: String, code: String)
  ) async throws {
    let next = #"{"instance":"echo","name":"say","value":2,"seq":2}"#
    let (before, after) = (["refused 1 \(refusal.code)"], ["echo.said 2"])
    for clock in ["virtual", "live"] {
      let output = try await VMHostRun.output(
        ["run", "--clock", clock],
        .text((Self.stage + [refusal.line, next]).joined(separator: "\n") + "\n"))
      let summary = try Self.summary(output.stdout).suffix(3)
      // What can't be read has a place, too.
      let first = summary.first.map {
        $0.replacing("\(Self.stage.count + 1) syntax", with: " syntax")
      }
      #expect([first].compactMap { $0 } == before && Array(summary.dropFirst().prefix(1)) == after)
      #expect(summary.last?.hasPrefix("done 2 @") == true)
      #expect(output.stderr == "")
      #expect(output.status == .success)
    }
  }

  @Test func `timers that never end are refused, and the session goes on`() async throws {
    let output = try await VMHostRun.output(
      ["run", "kitfixture.so", "--view-model", "kit.ticker"] + Arguments.jsonl,
      .text(
        """
        {"name":"startHourly","seq":1}
        {"kind":"advance","by":"idle","seq":2}
        {"kind":"advance","by":"1h","seq":3}

        """))
    #expect(
      try Self.summary(output.stdout).suffix(3)
        == ["refused 2 endless", "ticker.ticked 26", "done 3 @28"])
    #expect(output.status == .success)
  }

  @Test func `lines like earlier ones reach what those reached, unless that has ended`()
    async throws
  {
    var lines: [String] = []
    var expected: [String] = []
    var step = 1
    func send(_ instance: String, _ value: String, refused code: String? = nil) {
      let seq = lines.count
      lines.append(#"{"seq":\#(seq),"instance":"\#(instance)","name":"say","value":\#(value)}"#)
      if let code {
        // A line that can't be read may not have the number that it seems to have.
        let place = code == "syntax" ? "\(seq + 1)" : ""
        return expected.append("refused \(seq)\(place) \(code)")
      }
      step += 1
      expected += ["\(instance).said \(value)", "done \(seq) @\(step)"]
    }
    func carryOut(_ members: String) {
      step += 1
      expected.append("done \(lines.count) @\(step)")
      lines.append(#"{"seq":\#(lines.count),\#(members)}"#)
    }
    carryOut(#""kind":"open","viewModel":"echo","instance":"other""#)
    // More than are delivered together.
    for number in 0..<5000 { send(number % 3 == 0 ? "other" : "echo", "\(number)") }
    carryOut(#""kind":"close","instance":"other""#)
    for number in 0..<10 { send("echo", "\(number)") }
    for number in 0..<3 { send("other", "\(number)", refused: "closed") }
    send("echo", "nul", refused: "syntax")
    carryOut(#""kind":"open","viewModel":"echo","instance":"other""#)
    for number in 0..<10 { send(number % 2 == 0 ? "other" : "echo", "\(number)") }
    try await expect(Self.echo, lines, expected)
  }

  @Test func `what can't be read is refused by its line once lines have numbers`() async throws {
    try await expect(
      Self.echo,
      [
        #"{"name":"say","value":1,"seq":1}"#, "nonsense", #"{"name":"say""#, "",
        #"{"name":"say","value":2,"seq":1.5}"#, #"{"kind":"input","seq":3}"#, "@opne echo",
        "> say 3",
      ],
      [
        "echo.said 1", "done 1 @2", "refused 2 syntax", "refused 3 syntax", "refused 5 syntax",
        "refused 36 syntax", "refused 7 syntax", "echo.said 3",
      ])
  }

  @Test func `a line without a number is as strict as ever`() async throws {
    for mistake in ["> sya 1", "nonsense", "> ecko.say 1", "! 1 {}", "@opne echo"] {
      let lines = mistake == "nonsense" ? [] : [#"{"name":"say","value":1,"seq":1}"#]
      let output = try await VMHostRun.output(
        Self.echo, .text((lines + [mistake, "> say 2"]).joined(separator: "\n")))
      let isBroken = mistake == "@opne echo"
      #expect(output.status == .exited(isBroken ? 0 : 2))
      #expect(output.stdout.contains("\"value\":2") == isBroken)
    }
  }

  @Test func `the present states are there for the asking`() async throws {
    try await expect(
      ["run", "hello.so", "--view-model", "hello.greeter=g"] + Arguments.jsonl,
      [
        #"{"kind":"frame"}"#, #"{"name":"nameChanged","value":"Ann"}"#,
        #"{"kind":"frame","instance":"g","seq":4}"#,
      ],
      [
        "g.greeting Hello!", "frame  {greeting:Hello!}", "g.greeting Hello, Ann!",
        "frame 4 {greeting:Hello, Ann!}", "done 4 @2",
      ])
  }

  @Test func `a death is answered by the end of the session`() async throws {
    let output = try await VMHostRun.output(
      ["run", "kitfixture.so", "--view-model", "kit.faults"] + Arguments.jsonl,
      .text(
        """
        {"name":"fine","seq":1}
        {"name":"trap","value":7,"seq":2}
        {"name":"fine","seq":3}
        """))
    #expect(
      try Self.summary(output.stdout).filter { !$0.hasPrefix("log") }
        == ["faults.ok ", "done 1 @2"])
    #expect(output.lines.last?.hasPrefix("{\"kind\":\"end\"") == true)
    #expect(output.status == .exited(6))
  }

  @Test func `text has the answers as comments`() async throws {
    try await VMHostRun.expect(
      Arguments.echo,
      .text(
        """
        {"name":"say","value":1,"seq":1}
        {"name":"sya","value":1,"seq":2}
        {"kind":"frame","seq":3}
        {"kind":"dance"

        """),
      stdout: """
        < said 1
        # done 1
        # refused 2 (unknown-input): echo has no input "sya". Did you mean "say"?
        # frame of echo: {}
        # done 3
        # refused line 4 (syntax): this line is not JSON: expected "}".

        """)
  }

  // MARK: Races

  @Test func `a line that was overtaken is skipped in a pipe`() async throws {
    let noRequest = "b has no open request 1:"
    let cancelled = "\(noRequest) it cancelled that request. None is open."
    let closed = "there is no instance \\b\\ any more: it has been closed."
    try await expect(
      ["run", "kitfixture.so"] + Arguments.jsonl + ["--view-model", "kit.effects=b"],
      [
        "> ping", "@close b", "@close b", "> b.ping", "> ping", "! b.1", "+ idle",
        "@open kit.effects as b", "! b.1", #"{"kind":"close","instance":"b","seq":1}"#,
        "@plugin brokenfixture.so", "@open broken as b", #"> emit "17 1 printer {}""#,
        #"> emit "18 1""#, "! 2 {}", #"! 2 error {"code":"a"}"#, #"{"kind":"reply","id":2}"#,
      ],
      [
        "request b.1", "cancel b.1", "log 3\(closed)", "log 4\(closed)",
        "log 5no instance is open any more.", "log 6\(closed)",
        "log 9\(noRequest) that request belonged to an earlier b, which is closed.", "done 1 @5",
        "request b.2", "cancel b.2",
      ]
        + [15, 16, 17].map { "log \($0)\(cancelled.replacing("request 1", with: "request 2"))" })
  }

  @Test(arguments: ["@close echo", "> echo.say 1"])
  func `the same is a mistake in a script`(_ line: String) async throws {
    try await TemporaryDirectory.with { directory in
      let script = try directory.write(
        "@plugin echo.so\n@open echo\n@close echo\n\(line)\n", to: "s.vmt")
      let output = try await VMHostRun.output(["run", "--script", script] + Arguments.text)
      #expect(output.stderr.contains("s.vmt:4:"))
      #expect(output.stderr.contains("there is no instance \"echo\" any more: it has been closed."))
      #expect(output.status == .exited(2))
    }
  }

  @Test func `a double tap on what closes its list does no harm`() async throws {
    try await TemporaryDirectory.with { directory in
      let flow = try directory.write(
        """
        {"start":{"open":"kit.ports","as":"list"},
         "on":{"list.tapped":{"close":"list"}}}
        """, to: "flow.json")
      for seq in ["", ",\"seq\":1"] {
        let tap = "{\"instance\":\"list\",\"name\":\"tap\"\(seq)}"
        let output = try await VMHostRun.output(
          ["run", "kitfixture.so", "--flow", flow] + Arguments.jsonl,
          .text("\(tap)\n\(tap)\n{\"kind\":\"open\",\"viewModel\":\"kit.ports\",\"seq\":2}\n"))
        let summary = try Self.summary(output.stdout)
        let second =
          seq.isEmpty
          ? "log 2there is no instance \\list\\ any more: it has been closed." : "refused 1 closed"
        #expect(summary.contains(second))
        #expect(summary.last == "done 2 @3")
        #expect(output.status == .success)
      }
    }
  }

  // MARK: Options

  @Test func `with --keep-going every mistake is told, and none ends the session`() async throws {
    try await expect(
      Self.echo + ["--keep-going"],
      [
        "> sya 1", "nonsense", "> say 1", "! 1 {}", "@plugin nix.so", "@seed 1", "@open ecko",
        "@flow nix.json", "> say 2",
      ],
      [
        "refused 1 unknown-input", "refused 2 syntax", "echo.said 1", "refused 4 unknown-request",
        "refused 5 not-loaded", "refused 6 unsupported", "refused 7 unknown-view-model",
        "refused 8 unsupported", "echo.said 2",
      ])
  }

  @Test(arguments: [
    ("get", "http", "\"http://127.0.0.1:9/\"", #"{"body":"x","status":200}"#),
    ("storageGet", "storage.get", "\"a\"", "\"y\""),
  ])
  func `with --effect NAME=none only lines answer`(
    input: String, effect: String, value: String, reply: String
  ) async throws {
    let arguments = ["run", "kitfixture.so", "--view-model", "kit.effects"] + Arguments.jsonl
    let output = try await VMHostRun.output(
      arguments + ["--effect", "\(effect)=exit 1", "--effect", "\(effect)=none"],
      .text(
        """
        {"name":"\(input)","value":\(value),"seq":1}
        {"kind":"advance","by":"idle","seq":2}
        {"kind":"reply","id":1,"value":\(reply),"seq":3}

        """))
    let summary = try Self.summary(output.stdout)
    #expect(summary.prefix(3) == ["request effects.1", "done 1 @2", "done 2 @2"])
    #expect(summary.dropFirst(3).first?.hasPrefix("effects.result") == true)
    #expect(summary.last == "done 3 @3")
    #expect(output.stderr == "")
  }

  @Test func `a recording has nothing of what was refused, and replays`() async throws {
    try await TemporaryDirectory.with { directory in
      let recording = directory.file("r.vmt")
      let stage = Self.stage.filter { !$0.contains("refuser") }
      let lines = Self.refusals.map(\.line).filter { !$0.contains("refuser") }
      let output = try await VMHostRun.output(
        ["run", "--record", recording] + Arguments.jsonl,
        .text((stage + lines + ["> echo.say 1"]).joined(separator: "\n") + "\n"))
      #expect(output.status == .success)
      #expect(
        try Self.summary(output.stdout).filter { $0.hasPrefix("refused") }.count == lines.count)
      let test = try await VMHostRun.output(["test", recording])
      #expect(test.status == .success, "\(test.stdout)")
      let text = try await ChildProcess.run("/bin/cat", [recording]).stdout
      #expect(
        text.hasSuffix(
          "! effects.1\n< effects.result \"pong\"\n> echo.say 1\n< echo.said 1\n@end\n"))
    }
  }
}

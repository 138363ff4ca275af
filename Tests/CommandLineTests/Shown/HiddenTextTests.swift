import CanonicalJSON
import Foundation
import HostCore
import TestSupport
import Testing

/// A plugin, transcripts, a flow and a provider say things with characters that nobody sees, and
/// no command shows one of these, in a pipe or on a terminal.
struct HiddenTextTests {
  /// A command, and what it reads from its standard input.
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    var input = ""
    var environment: [String: String] = [:]
    /// Whether what it prints in a pipe is for programs, which get the exact characters.
    var isExactInPipe = false

    var testDescription: String { arguments.prefix(6).joined(separator: " ").terminalSafe }
  }

  private static let text = Arguments.text
  private static let json = HiddenText.json
  private static let steps = "> say \"x\"\n> ask\n> refuse\n> say 1\n"

  private static let cases: [Case] =
    ["text", "json", "markdown", "typescript", "python", "json-schema"].map {
      Case(arguments: ["describe", "hidden.so", "--format", $0])
    }
    + ["text", "json", "mermaid"].map {
      Case(arguments: ["describe", "--flow", "flow.json", "--format", $0])
    } + [
      Case(arguments: ["describe", "--flow", "flow.json", "hidden.so"]),
      Case(arguments: ["run", "hidden.so"] + text, input: steps),
      Case(arguments: ["run", "hidden.so"] + text, input: "> lie\n"),
      Case(arguments: ["run", "hidden.so"] + text, input: "> crash\n"),
      Case(arguments: ["run", "hidden.so"] + text, input: "> nothing\(json)\n"),
      Case(arguments: ["run", "hidden.so"] + text, input: "> say \"\(json)\" x\n"),
      Case(
        arguments: ["run", "hidden.so"] + text,
        input: "{\"kind\":\"input\",\"seq\":1,\"name\":\"\(json)\"}\n"
          + "{\"kind\":\"\(json)\",\"seq\":2}\n{\"kind\":\"open\",\"viewModel\":\"\(json)\"}\n"),
      Case(
        arguments: ["run", "hidden.so", "--flow", "flow.json"] + text,
        input: "> say \"\(json)\"\n"),
      Case(
        arguments: ["run", "hidden.so", "--format", "jsonl", "--clock", "virtual"], input: steps,
        isExactInPipe: true),
      Case(
        arguments: ["run", "hidden.so", "--effect", "http=\(provider)"] + text,
        input: "> ask\n+ idle\n> ask\n+ idle\n"),
      Case(arguments: ["run", "hidden.so", "--script", "hidden.vmt"] + text),
      Case(arguments: ["run", "bad\(HiddenText.text).so"] + text),
      Case(arguments: ["run", "badid.so"] + text),
      Case(arguments: ["describe", "version.so"]),
      Case(arguments: ["run", "hidden.so", "--config", "{\"\(json)\"}"] + text),
      Case(arguments: ["run", "--\(HiddenText.text)"]),
      Case(arguments: [HiddenText.text]),
      Case(arguments: ["replay", "hidden.vmt", "--format", "text"]),
      Case(arguments: ["replay", "hidden.vmt", "--format", "jsonl"], isExactInPipe: true),
      Case(arguments: ["replay", "broken.vmt", "--format", "text"]),
      Case(arguments: ["test", "hidden.vmt", "broken.vmt"] + reports),
      Case(
        arguments: ["test", "hidden.vmt", "broken.vmt", "--show-logs"] + reports,
        environment: ["GITHUB_ACTIONS": "true"]),
      Case(arguments: ["test", "hidden.vmt", "--list-changes"]),
      Case(arguments: ["test", "hidden.vmt", "--update=patch"], isExactInPipe: true),
      Case(arguments: ["test", ".", "--list"]),
      Case(arguments: ["test", ".", "--list=jsonl"], isExactInPipe: true),
      Case(arguments: ["merge-reports", "own.jsonl", "--junit", "j.xml", "--events", "e.jsonl"]),
      Case(arguments: ["doctor"]),
    ]

  private static let reports = ["--junit", "j.xml", "--events", "e.jsonl"]

  /// Says the same in its log, in an answer and in an error.
  private static let provider =
    "read line; cat log.jsonl; echo '{\"kind\":\"reply\",\"id\":1,\"value\":null}';"
    + " read line; exit 3"

  /// Has a mistake in its last line.
  private static let broken = HiddenText.transcript + "@skip \(HiddenText.json)\n@tags \(json)\n"

  private static func withFolder(_ body: (TemporaryDirectory) async throws -> Void) async throws {
    try await HiddenText.withFolder { folder in
      try await HiddenText.compile(into: folder, "badid.so", model: "x" + HiddenText.json)
      try await HiddenText.compile(into: folder, "version.so", version: "1\u{202e}")
      try folder.write(broken, to: "broken.vmt")
      try folder.write(
        "vmt 1\n@skip \(HiddenText.text.filter { !$0.isNewline })\n@plugin hidden.so\n",
        to: "skipped\u{202e}.vmt")
      try folder.write(
        "{\"kind\":\"log\",\"level\":\"\(json)\",\"message\":\"\(json)\"}\n", to: "log.jsonl")
      try folder.write(
        """
        {"kind":"run","schema":1,"vmhost":"1","total":1,"count":1,"selection":"0"}
        {"kind":"result","path":"\(json).vmt","verdict":"failed","duration":1,"steps":1,"line":2,\
        "summary":"\(json)","details":"\(json)"}
        {"kind":"end","counts":{"failed":1},"duration":1,"status":1}

        """, to: "own.jsonl")
      try await body(folder)
    }
  }

  @Test func `no command shows hidden characters in a pipe or in a report`() async throws {
    try await Self.withFolder { folder in
      for test in Self.cases {
        let output = try await VMHostRun.output(
          test.arguments, .text(test.input), environment: test.environment,
          workingDirectory: folder.path)
        if !test.isExactInPipe {
          #expect(HiddenText.findings(in: output.stdoutBytes) == [], "\(test.testDescription)")
        }
        #expect(HiddenText.findings(in: output.stderrBytes) == [], "\(test.testDescription)")
        for report in ["j.xml", "e.jsonl"] {
          guard let bytes = try? Files.read(folder.file(report)) else { continue }
          #expect(HiddenText.findings(in: bytes) == [], "\(report) of \(test.testDescription)")
        }
      }
    }
  }

  @Test func `no command shows hidden characters on a terminal`() async throws {
    try await Self.withFolder { folder in
      for test in Self.cases {
        try folder.write(test.input, to: "input")
        let terminal = try PseudoTerminal()
        let command = try BuildProducts.executable("vmhost")
        let environment = VMHostRun.environment.merging(["TERM": "xterm-256color"]) { $1 }
        try terminal.start(
          "/bin/sh",
          ["-c", "cd \"$1\" && shift && exec \"$@\" < input", "sh", folder.path, command]
            + test.arguments, environment: environment.merging(test.environment) { $1 })
        _ = try terminal.waitForExit(deadline: 60)
        #expect(
          HiddenText.findings(in: terminal.transcript, isTerminal: true) == [],
          "\(test.testDescription)")
      }
    }
  }

  @Test func `a prompt shows no hidden characters`() async throws {
    try await HiddenText.withFolder { folder in
      let state = folder.file("state/vmhost/history")
      try folder.write("say \"\(HiddenText.json)\"\n", to: "state/vmhost/history")
      let terminal = try PseudoTerminal()
      try terminal.start(
        "/bin/sh",
        ["-c", "cd \"$1\" && exec \"$2\" run hidden.so", "sh", folder.path]
          + [try BuildProducts.executable("vmhost")],
        environment: [
          "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "XDG_STATE_HOME": folder.file("state"),
        ])
      _ = try terminal.read(until: "Ctrl-D to end")
      let typed = String(String.UnicodeScalarView(HiddenText.scalars.filter { $0.value > 0x9f }))
      for line in [":ports", ":frame", ":help", "say \"x\"", "refuse", "ask", ":x\(typed)", typed] {
        try terminal.write(line + "\r")
      }
      // The same line again, the search for it, and a completion.
      try terminal.write("\u{1b}[A\u{12}say\u{7}\u{3}hidden.s\t\u{3}")
      try terminal.write("\u{4}")
      _ = try terminal.waitForExit(deadline: 60)
      #expect(HiddenText.findings(in: terminal.transcript, isTerminal: true) == [])
      #expect(try Files.kind(of: state) == .regular)
    }
  }

  @Test func `JSON that is shown says the same as the JSON for programs`() async throws {
    try await HiddenText.withFolder { folder in
      let value = try JSONValue(parsing: Array("\"\(HiddenText.json)\"".utf8).span)
      let shown = try await VMHostRun.output(
        ["run", "hidden.so"] + Arguments.text, .text("> say \"x\"\n> ask\n"),
        workingDirectory: folder.path)
      let text = try #require(shown.lines.first { $0.hasPrefix("< text ") })
      #expect(try JSONValue(parsing: Array(text.dropFirst(7).utf8).span) == value)
      #expect(text.contains("\\u202e") && text.contains("\\udb40\\udc61"))
      #expect(text.contains(HiddenText.emoji))
      let exact = try await VMHostRun.output(
        ["run", "hidden.so", "--format", "jsonl", "--clock", "virtual"],
        workingDirectory: folder.path)
      #expect(exact.stdout.contains(HiddenText.json))
      let manifest = try await VMHostRun.output(
        ["describe", "hidden.so", "--format", "json"], workingDirectory: folder.path)
      let json = try JSONValue(parsing: manifest.stdoutBytes.span)
      #expect(json["title"] == value)
    }
  }

  @Test func `what replay shows of a transcript is a transcript of the same`() async throws {
    try await HiddenText.withFolder { folder in
      let recorded = try await VMHostRun.output(
        ["run", "hidden.so", "--record", "exact.vmt"] + Arguments.text,
        .text("> say \"\(HiddenText.json)\"\n> ask\n"), workingDirectory: folder.path)
      #expect(recorded.status == .exited(0))
      let exact = String(decoding: try Files.read(folder.file("exact.vmt")), as: UTF8.self)
      #expect(exact.contains("\u{202e}"))
      let shown = try await VMHostRun.output(
        ["replay", "exact.vmt", "--format", "text"], workingDirectory: folder.path)
      try folder.write("vmt 1\n@plugin hidden.so\n\(shown.stdout)", to: "shown.vmt")
      let output = try await VMHostRun.output(
        ["test", "exact.vmt", "shown.vmt"], workingDirectory: folder.path)
      #expect(output.status == .exited(0), "\(output.stdout)")
    }
  }
}

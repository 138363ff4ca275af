import CanonicalJSON
import Foundation
import TestSupport
import Testing

@testable import vmhost

/// `vmhost inspect`, with a stand-in for the server of the page: what the page would send and get.
struct InspectTests {
  /// A server that sends lines, keeps what it gets, and ends with the answer to the line 9.
  private static func page(_ lines: [String]) -> String {
    let sent = lines.map { "printf '%s\\n' '\($0)'\n" }.joined()
    return """
      IFS= read -r head
      bytes=${head##*:}
      head -c "${bytes%\\}}" > page.html
      echo '{"kind":"serving","port":4242,"secret":"s3"}'
      \(sent)
      while IFS= read -r line; do
        printf '%s\\n' "$line" >> lines
        case "$line" in *'"seq":9,'*) exit 0 ;; esac
      done

      """
  }

  private static let kit = ["--view-model", "kit.effects=kit"]
  private static let banner =
    "vmhost: inspecting libkitfixture.so at http://127.0.0.1:4242/#secret=s3 (Ctrl-C ends it)\n"
  private static let done = #"{"kind":"advance","by":"10ms","seq":9}"#

  @Test func `a page drives the session, and ends it`() async throws {
    let sent = [
      #"{"kind":"describe","seq":1}"#, "no line", #"{"name":"ping","seq":2}"#,
      #"{"name":"pong","seq":3}"#, #"{"kind":"ask","id":1,"seq":4}"#,
      #"{"kind":"advance","by":"idle","seq":5}"#, #"{"kind":"save","seq":6}"#, Self.done,
    ]
    try await Inspected.with(server: Self.page(sent)) { test in
      let provider =
        "tee seen | sed -u -n \"s/.*\\\"id\\\":\\([0-9]*\\).*/"
        + "{\\\"kind\\\":\\\"reply\\\",\\\"id\\\":\\1}/p\""
      let output = try test.run(
        [try BuildProducts.library("kitfixture"), "--effect", "ping=\(provider)"] + Self.kit)
      #expect(output.stdout == "")
      #expect(output.stderr == Self.banner)
      #expect(output.status == .success)
      #expect(try test.text("page.html").contains(#""type":"live""#))
      let lines = try test.lines()
      #expect(
        lines.map { $0["kind"]?.stringValue ?? "" } == [
          "session", "hold", "step",
        ] + Array(repeating: "viewModel", count: 8) + [
          "done", "refused", "step", "request", "done", "refused", "done", "step", "output",
          "done", "transcript", "done", "done",
        ])
      #expect(lines[1]["held"]?.canonicalText == #"["http","ping"]"#)
      #expect(ControlRun.refusals(lines).last?.hasPrefix("unknown-input: ") == true)
    }
  }

  @Test(arguments: [true, false])
  func `nobody is asked before the page says so, unless that is wanted`(
    _ isLive: Bool
  ) async throws {
    let sent = [#"{"name":"ping"}"#, #"{"kind":"advance","by":"idle"}"#, Self.done]
    try await Inspected.with(server: Self.page(sent)) { test in
      let output = try test.run(
        [try BuildProducts.library("kitfixture"), "--effect", "ping=head -n 1 > seen"]
          + Self.kit + (isLive ? ["--live"] : []))
      #expect(output.status == .success)
      let seen = FileManager.default.fileExists(atPath: test.folder.file("seen"))
      #expect(seen == isLive)
      let held = try test.lines().first { $0["kind"] == "hold" }?["held"]?.canonicalText
      #expect(held == (isLive ? "[]" : #"["http","ping"]"#))
    }
  }

  @Test func `what can't be loaded is no page`() async throws {
    try await Inspected.with(server: Self.page([])) { test in
      let output = try test.run(["nothing.so"])
      #expect(output.stderr.hasPrefix("vmhost: "))
      #expect(output.stderr.contains("nothing.so"))
      #expect(output.status == .exited(3))
      #expect(!FileManager.default.fileExists(atPath: test.folder.file("page.html")))
    }
  }

  @Test func `the page learns how the session ended`() async throws {
    try await Inspected.with(server: Self.page([#"{"name":"go"}"#])) { test in
      let output = try test.run(
        [
          try BuildProducts.library("hostilefixture"), "--config", #"{"act":"send:abort"}"#,
        ])
      #expect(output.status == .exited(6))
      #expect(output.stderr.contains("the page:1: "))
      let end = try test.lines().last
      #expect(end?["kind"] == "end" && end?["status"]?.canonicalText == "6")
    }
  }

  @Test func `Ctrl-C ends the session`() async throws {
    try await Inspected.with(server: Self.page([])) { test in
      let child = try test.start([try BuildProducts.library("kitfixture")] + Self.kit)
      try child.waitForStderr(containing: "(Ctrl-C ends it)\n")
      child.kill(SIGINT)
      #expect(try child.wait(closingInput: false).status == .signaled(SIGINT))
      #expect(try test.lines().last?["kind"] == "end")
    }
  }

  @Test(
    arguments: [
      (nil, "it could not be started: No such file or directory"),
      ("exit 3\n", "it ended (exit status 3)"),
      ("echo nonsense; cat\n", "it doesn't say where it serves"),
      (
        #"echo '{"kind":"serving","port":70000,"secret":"a"}'; cat"#,
        "it doesn't say where it serves"
      ),
      ("head -c 10000 /dev/zero; cat", "it doesn't say where it serves"),
    ] as [(String?, String)])
  func `a server that can't be used is an error`(
    _ server: String?, _ reason: String
  ) async throws {
    try await Inspected.with(server: server) { test in
      let output = try test.run([try BuildProducts.library("kitfixture")] + Self.kit)
      #expect(
        output.stderr
          == "vmhost: vmhost-inspect, which serves the page, can't be used: \(reason).\n")
      #expect(output.status == .exited(74))
    }
  }

  @Test func `its options are those of run`() throws {
    let own = Command.inspect.options.map(\.name).filter { Command.run.option(named: $0) == nil }
    #expect(own == ["live"])
  }
}

/// A folder with vmhost, a server, and what the server wrote.
private struct Inspected {
  let folder: TemporaryDirectory

  /// vmhost beside a server that is a shell script.
  ///
  /// - Parameter server: nil for none.
  static func with(
    server: String?, _ body: (Inspected) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { folder in
      // Copied by another process: one that this process writes might still be open in a child.
      let vmhost = try BuildProducts.executable("vmhost")
      _ = try await ChildProcess.run("/bin/cp", [vmhost, folder.file("vmhost")])
      if let server {
        let script = try folder.write("#!/bin/sh\n" + server, to: "script")
        let program = folder.file("vmhost-inspect")
        _ = try await ChildProcess.run(
          "/bin/sh", ["-c", "cp '\(script)' '\(program)' && chmod +x '\(program)'"])
      }
      try await body(Inspected(folder: folder))
    }
  }

  func start(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      folder.file("vmhost"), ["inspect"] + arguments, environment: VMHostRun.environment,
      workingDirectory: folder.path, input: .null)
  }

  func run(_ arguments: [String]) throws -> ChildProcess.Output {
    try start(arguments).wait(closingInput: false)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.file(name), encoding: .utf8)
  }

  func lines() throws -> [JSONValue] {
    try text("lines").split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8).span) }
  }
}

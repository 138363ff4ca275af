import Foundation
import TestSupport
import Testing

/// The example's front end in TypeScript, in a terminal, over the built vmhost and account.so.
struct NodeFrontEndTests {
  private static let folder = "Examples/frontends"
  private static let options = ["--strict", "--target", "es2020", "--module", "commonjs"]

  /// Compiles front ends with the types that vmhost writes.
  ///
  /// - Parameter sources: by the names of their files.
  /// - Returns: what the compiler says, or nil where it or Node is missing.
  private func compile(
    _ sources: [String: String], in directory: TemporaryDirectory
  ) async throws -> String? {
    guard let compiler = Programs.path(of: "tsc"), Programs.path(of: "node") != nil else {
      print("node or tsc is missing: the front end in TypeScript isn't tried")
      return nil
    }
    let types = try await VMHostRun.output(["describe", "account.so", "--format", "typescript"])
    let files =
      [
        try directory.write(types.stdout, to: "vmhost.ts"),
        try directory.write(try Repository.text("\(Self.folder)/node.d.ts"), to: "node.d.ts"),
      ] + (try sources.map { try directory.write($1, to: $0) })
    let output = try await ChildProcess.run(
      compiler, Self.options + files, workingDirectory: directory.path, within: .seconds(300))
    return output.stdout
  }

  private static func start(
    in directory: TemporaryDirectory, _ options: [String]
  ) throws -> FrontEndSession {
    let node = try #require(Programs.path(of: "node"))
    return try FrontEndSession(
      command: [
        node, directory.file("account.js"), BuildProducts.executable("vmhost"), "run",
        "account.so", "--flow", "\(try Repository.root())/Examples/flows/account.json",
        "--view-model", "account.login-form=login", "--effect", "http=none",
      ] + options)
  }

  /// What the server says to a login, and to one with a code.
  private static let codeRequired = #"{"ksrCode":"TfaRequired"}"#
  private static let user =
    #"{"access_token":"t","user":{"id":7,"name":"Ann","isEmailVerified":true}}"#

  @Test func `logs in, though what it answers was closed and cancelled in the meantime`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let source = try Repository.text("\(Self.folder)/account.ts")
      guard let errors = try await compile(["account.ts": source], in: directory) else { return }
      #expect(errors == "")
      let gate = try Gate()
      try await LoopbackServer.with { request in
        guard request.text.contains("\"code\"") else {
          return .json(Self.codeRequired, status: 403)
        }
        // The first code is answered when nobody waits for it any more.
        return .json(Self.user, gate: request.text.contains("111111") ? gate : nil)
      } run: { server in
        let session = try Self.start(
          in: directory, ["--config", "{\"apiBase\":\"\(server.url)\"}"])
        let terminal = session.terminal
        try terminal.wait(for: "the login") { $0.lines.first == "login" }
        try terminal.write("a@b.co\tpass")
        try terminal.wait(for: "a valid form") { $0.lines.last == "Enter sends it." }
        #expect(
          terminal.screen.lines == [
            "login", "  Email: a@b.co", "> Password: ••••", "Enter sends it.",
          ])
        // The second one cancels the first, which is answered all the same.
        try terminal.write("\r\r")
        try terminal.wait(for: "the code's form") { $0.lines.first == "two-factor" }
        try terminal.write("11111é\u{7F}1")
        try terminal.wait(for: "a valid code") { $0.lines.last == "Enter sends it." }
        try terminal.write("\r")
        try server.waitForRequests(3)
        try terminal.wait(for: "what goes on") { $0.lines.last == "Sending …" }
        try terminal.write("\u{1B}\u{1B}")
        try terminal.wait(for: "the login again") {
          $0.lines.first == "login" && $0.lines.last == "Enter sends it."
        }
        gate.open()
        try terminal.write("\r")
        try terminal.wait(for: "the code's form again") { $0.lines.first == "two-factor" }
        try terminal.write("222222\r\r")
        try terminal.wait(for: "the profile") { $0.lines == ["profile", "Ann, 0, city"] }
        try session.end(by: Keys.control("C"))
      }
    }
  }

  @Test func `is shorter than 121 lines and imports only the types that vmhost writes`() throws {
    let lines = try Repository.text("\(Self.folder)/account.ts").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.dropLast().count <= 120)
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(
      lines.filter { $0.contains("import ") } == [#"import { LineIn, LineOut } from "./vmhost";"#])
    #expect(lines.filter { $0.contains("require(") }.count == 1)
  }

  /// Parts of the front end, and what they are replaced with.
  private static let wrongUses = [
    (#"name: "emailChanged", value"#, #"name: "emailChange", value"#),
    (#"name: "emailChanged", value"#, #"name: "emailChanged", value: 7"#),
    (
      #"instance: "login", name: "loginButtonPressed""#,
      #"instance: "profile", name: "loginButtonPressed""#
    ),
    ("case \"done\"", "case \"finished\""),
    ("answered = line.seq)", "answered = line.step.seq)"),
  ]

  // One test, because the compiler takes three seconds to start.
  @Test func `a wrong use of the protocol doesn't compile`() async throws {
    try await TemporaryDirectory.with { directory in
      let source = try Repository.text("\(Self.folder)/account.ts")
      var (sources, places): ([String: String], [String]) = ([:], [])
      for (index, (right, wrong)) in Self.wrongUses.enumerated() {
        let place = try #require(source.range(of: right)?.lowerBound)
        let line = source[..<place].count { $0 == "\n" } + 1
        sources["wrong\(index).ts"] = source.replacing(right, with: wrong)
        places.append("wrong\(index).ts(\(line),")
      }
      guard let errors = try await compile(sources, in: directory) else { return }
      let errorsByFile = Dictionary(grouping: errors.split(separator: "\n")) {
        $0.prefix { $0 != "(" }
      }
      for (index, place) in places.enumerated() {
        let found = errorsByFile["wrong\(index).ts"]?.first ?? "nothing"
        #expect(found.hasPrefix(place), "\(Self.wrongUses[index]): \(found)")
      }
    }
  }
}

import Foundation
import TestSupport
import Testing

/// Transcripts of strangers that name files of the machine, as pull requests bring them.
struct OutsidePathTests {
  private static let plugin = "echo.so"

  private static func transcript(_ lines: String...) -> String {
    "vmt 1\n\(lines.joined(separator: "\n"))\n@open echo\n> say 1\n< said 1\n"
  }

  private static let secret = "-----BEGIN OPENSSH PRIVATE KEY-----"
  private static let flow = #"{"start":{"open":"echo"}}"#

  /// A folder `work` to run in with a folder `tests` in it, and files beside it.
  private static func withFolders(_ body: (TemporaryDirectory) async throws -> Void) async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write("\(secret)\nb3BlbnNzaC1rZXk\n", to: "home/id_rsa")
      try folder.write(#"{"auths":{"registry":"c2VjcmV0"}}"#, to: "home/config.json")
      try folder.write(#"{"schema":1,"start":"c2VjcmV0"}"#, to: "home/start.json")
      try folder.write(flow, to: "home/flow.json")
      try folder.write(flow, to: "work/tests/inside.json")
      for path in ["home/echo.so", "work/tests/own.so"] {
        try FileManager.default.copyItem(
          atPath: try BuildProducts.library("echo"), toPath: folder.file(path))
      }
      for (link, target) in [
        ("work/tests/link.so", "../../home/echo.so"),
        ("work/tests/link.json", "../../home/flow.json"), ("work/tests/up", "../../home"),
        ("work/tests/key.vmt", "../../home/id_rsa"), ("work/tests/near.so", "own.so"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: folder.file(link), withDestinationPath: target)
      }
      try await body(folder)
    }
  }

  private static func run(
    _ arguments: [String], in folder: TemporaryDirectory, environment: [String: String] = [:]
  ) async throws -> ChildProcess.Output {
    try await VMHostRun.output(
      arguments, environment: environment, workingDirectory: folder.file("work"))
  }

  @Test(arguments: [
    ("@plugin ../home/echo.so", 2), ("@plugin tests/../../home/echo.so", 2),
    ("@plugin ./tests/link.so", 3), ("@plugin tests/up/echo.so", 2), ("@plugin link.so", 2),
    ("@plugin own.so\n@flow ../../home/flow.json", 3), ("@plugin own.so\n@flow link.json", 3),
    ("@plugin own.so\n@flow up/flow.json", 3), ("@plugin own.so\n@flow ../../home/id_rsa", 3),
  ])
  func `a test does not use what lies outside, unless it is allowed`(
    _ lines: String, _ line: Int
  ) async throws {
    try await Self.withFolders { folder in
      try folder.write(Self.transcript(lines), to: "work/tests/a.vmt")
      let refused = try await Self.run(["test", "tests/a.vmt"], in: folder)
      #expect(refused.status == .exited(2))
      #expect(refused.stdout.hasPrefix("invalid: tests/a.vmt:"), "\(refused.stdout)")
      #expect(refused.stdout.contains("--allow-outside"))
      #expect(!refused.stdout.contains("OPENSSH"))
      if lines.contains("id_rsa") { return }
      let allowed = try await Self.run(["test", "tests/a.vmt", "--allow-outside"], in: folder)
      #expect(!allowed.stdout.contains("--allow-outside"), "\(allowed.stdout)")
      #expect(allowed.status != .exited(2) || lines.contains("@flow"))
    }
  }

  @Test(arguments: [
    "@plugin ../home/none.so", "@plugin ../nowhere/echo.so", "@plugin /nowhere.so",
    "@plugin tests/up/none.so", "@plugin own.so\n@flow ../../home/none.json",
    "@plugin own.so\n@flow up/none/none.json", "@plugin own.so\n@flow /nowhere",
  ])
  func `a test does not tell whether there is something outside`(_ lines: String) async throws {
    try await Self.withFolders { folder in
      try folder.write(Self.transcript(lines), to: "work/tests/a.vmt")
      let output = try await Self.run(["test", "tests/a.vmt"], in: folder)
      #expect(output.stdout.contains("is outside the current folder"), "\(output.stdout)")
      #expect(output.status == .exited(2))
    }
  }

  @Test(arguments: ["@plugin tests/none.so", "@plugin none.so", "@plugin own.so\n@flow none.json"])
  func `a test says that something inside is not there`(_ lines: String) async throws {
    try await Self.withFolders { folder in
      try folder.write(Self.transcript(lines), to: "work/tests/a.vmt")
      let output = try await Self.run(["test", "tests/a.vmt"], in: folder)
      #expect(!output.stdout.contains("leads out of"), "\(output.stdout)")
      #expect(output.status != .success)
    }
  }

  @Test func `says what leads outside, and where`() async throws {
    try await Self.withFolders { folder in
      try folder.write(Self.transcript("@plugin ../home/echo.so"), to: "work/tests/a.vmt")
      let output = try await Self.run(["test", "tests/a.vmt"], in: folder)
      #expect(
        output.stdout.hasPrefix(
          """
          invalid: tests/a.vmt:2: "../home/echo.so" is outside the current folder and the given \
          folders. If that is intended, add --allow-outside.
            2 | @plugin ../home/echo.so
          """), "\(output.stdout)")
    }
  }

  @Test(
    arguments: [
      (["@plugin own.so"], [], [:]), (["@plugin ./tests/own.so"], [], [:]),
      (["@plugin near.so"], [], [:]), (["@plugin tests/../tests/near.so"], [], [:]),
      // The user names the folder, or it is where vmhost's own plugins are.
      (["@plugin ../home/echo.so"], ["--plugin-path", "../home"], [:]),
      (["@plugin link.so"], ["--plugin-path", "tests/../../home"], [:]),
      (["@plugin ../home/echo.so"], [], ["VMHOST_PLUGIN_PATH": "../home"]),
      (["@plugin echo.so"], [], ["VMHOST_PLUGIN_PATH": "../home"]), (["@plugin echo.so"], [], [:]),
    ] as [([String], [String], [String: String])])
  func `a test uses what lies inside, and what the user names`(
    _ lines: [String], _ options: [String], _ environment: [String: String]
  ) async throws {
    try await Self.withFolders { folder in
      try folder.write(Self.transcript(lines[0]), to: "work/tests/a.vmt")
      let output = try await Self.run(
        ["test", "tests/a.vmt"] + options, in: folder, environment: environment)
      #expect(output.status == .exited(0), "\(output.stdout)")
    }
  }

  /// With its accent, the slash before it isn't the character "/".
  @Test func `a name that begins with an accent is no way out of a searched folder`() async throws {
    try await Self.withFolders { folder in
      let name = "\u{301}.so"
      try FileManager.default.createDirectory(
        atPath: folder.file("home/libraries"), withIntermediateDirectories: false)
      for path in ["home/\(name)", "home/libraries/\(name)"] {
        try FileManager.default.copyItem(
          atPath: try BuildProducts.library("echo"), toPath: folder.file(path))
      }
      for (plugin, status) in [("../\(name)", 2), (name, 0)] as [(String, Int32)] {
        try folder.write(Self.transcript("@plugin \(plugin)"), to: "work/tests/a.vmt")
        let output = try await Self.run(
          ["test", "tests/a.vmt", "--plugin-path", "../home/libraries"], in: folder)
        #expect(output.status == .exited(status), "\(output.stdout)")
        #expect(output.stdout.contains("--allow-outside") == (status == 2), "\(output.stdout)")
      }
    }
  }

  @Test func `the folder of an argument is inside`() async throws {
    try await Self.withFolders { folder in
      try folder.write(
        Self.transcript("@plugin \(folder.file("home/echo.so"))", "@flow flow.json"),
        to: "home/a.vmt")
      for argument in ["../home/a.vmt", "../home"] {
        let output = try await Self.run(["test", argument], in: folder)
        #expect(output.status == .exited(0), "\(output.stdout)")
      }
    }
  }

  @Test func `a link that a walk finds is not read if it leads outside`() async throws {
    try await Self.withFolders { folder in
      let found = try await Self.run(["test", "tests"], in: folder)
      #expect(
        found.stdout.hasPrefix(
          """
          invalid: tests/key.vmt: this link leads outside the current folder and the given \
          folders. If that is intended, add --allow-outside.
          """), "\(found.stdout)")
      // Who names the file may see what is in it.
      let named = try await Self.run(["test", "tests/key.vmt"], in: folder)
      #expect(named.stdout.contains(Self.secret))
    }
  }

  @Test(
    arguments: [
      ("id_rsa", ":1:2: this is not JSON, and so not a flow."),
      ("config.json", ": this is not a flow: it has no \"start\", as in {"),
      ("start.json", ": this is not a flow: it has no \"start\", as in {"),
    ], ["run", "replay", "test"])
  func `an error says nothing of what is in a file that is not a flow`(
    _ file: (name: String, words: String), _ command: String
  ) async throws {
    try await Self.withFolders { folder in
      let script = Self.transcript("@plugin own.so", "@flow ../../home/\(file.name)")
      try folder.write(script, to: "work/tests/a.vmt")
      let arguments =
        switch command {
        case "run": ["run", "--script", "tests/a.vmt", "--format", "text"]
        case "replay": ["replay", "tests/a.vmt"]
        default: ["test", "tests/a.vmt", "--allow-outside"]
        }
      let output = try await Self.run(arguments, in: folder)
      #expect(output.status == .exited(2))
      let shown = output.stdout + output.stderr
      #expect(shown.contains("tests/../../home/\(file.name)\(file.words)"), "\(shown)")
      for part in ["OPENSSH", "auths", "c2VjcmV0", "----"] { #expect(!shown.contains(part)) }
    }
  }

  @Test func `a flow that the user names is quoted`() async throws {
    try await Self.withFolders { folder in
      let output = try await Self.run(
        ["describe", "--flow", "../home/config.json"], in: folder)
      #expect(output.stderr.contains("auths"))
    }
  }
}

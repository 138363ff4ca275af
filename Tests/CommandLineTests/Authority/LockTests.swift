import Foundation
import HostCore
import TestSupport
import Testing

/// `vmhost lock`, and `--lock` for all commands that load plugins.
struct LockTests {
  /// A folder with `film.so`, which needs `libbeside.so`, and the lock of both.
  private static func withLock(
    _ body: (TemporaryDirectory) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { folder in
      try await compileBeside("one", in: folder)
      try await compileFilm("film ran", in: folder)
      let lock = try await VMHostRun.output(["lock", "film.so"], workingDirectory: folder.path)
      #expect(lock.status == .success, "\(lock.stderr)")
      try folder.write(lock.stdout, to: "plugins.lock")
      try await body(folder)
    }
  }

  private static func compileBeside(_ name: String, in folder: TemporaryDirectory) async throws {
    let source = try folder.write(
      "const char *beside(void);\nconst char *beside(void) { return \"\(name)\"; }\n",
      to: "beside.c")
    try await Compiler.c.run(["-shared", "-fPIC", source, "-o", folder.file("libbeside.so")])
  }

  private static func compileFilm(_ loaded: String, in folder: TemporaryDirectory) async throws {
    try await PosingPlugin.compile(
      "film", to: folder.file("film.so"), loaded: loaded,
      ["-DBESIDE", "-L", folder.path, "-lbeside", "-Wl,-rpath,$ORIGIN"])
  }

  private static func digest(_ name: String, in folder: TemporaryDirectory) throws -> String {
    try SHA256.digest(ofFile: folder.file(name))
  }

  private static func expect(
    _ arguments: [String], _ input: ChildProcess.Input = .null, in folder: TemporaryDirectory,
    stdout: String = "", stderr: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await VMHostRun.expect(
      arguments, input, workingDirectory: folder.path, stdout: stdout, stderr: stderr,
      status: status, sourceLocation: sourceLocation)
  }

  private static let run = ["run", "film.so", "--lock", "plugins.lock"] + Arguments.text
  private static let name = ChildProcess.Input.text("> name\n")
  private static let advice =
    "If it may be loaded, lock all plugins anew: vmhost lock film.so … > plugins.lock.\n"

  @Test func `a lock has a line for each library, and no path of this machine`() async throws {
    try await Self.withLock { folder in
      let text = try String(contentsOfFile: folder.file("plugins.lock"), encoding: .utf8)
      #expect(
        text == """
          {
            "lock": 1,
            "plugins": [
              {"id": "film", "version": "1.0.0", "file": "film.so", "sha256": \
          "\(try Self.digest("film.so", in: folder))", "beside": [
                {"name": "libbeside.so", "sha256": \
          "\(try Self.digest("libbeside.so", in: folder))"}
              ]}
            ]
          }

          """)
      // The same elsewhere, in whichever order the plugins are named.
      try await PosingPlugin.compile("evil", to: folder.file("evil.so"))
      try await TemporaryDirectory.with { other in
        for name in ["film.so", "evil.so", "libbeside.so"] {
          try FileManager.default.copyItem(atPath: folder.file(name), toPath: other.file(name))
        }
        let first = try await VMHostRun.output(
          ["lock", "film.so", "evil.so"], workingDirectory: folder.path)
        let second = try await VMHostRun.output(
          ["lock", "evil.so", "film.so"], workingDirectory: other.path)
        #expect(first.stdout == second.stdout && first.stdout.contains("evil"))
        try await Self.expect(
          ["lock", "film.so", "./film.so"], in: folder,
          stderr: "film.so printed: film ran\n./film.so printed: film ran\n"
            + "vmhost: \"./film.so\" and an earlier plugin both have the id \"film\".\n", status: 2)
      }
    }
  }

  @Test func `what the lock has is loaded`() async throws {
    try await Self.withLock { folder in
      let printed = "# film.so printed: film ran\n"
      try await Self.expect(Self.run, Self.name, in: folder, stdout: printed + "< value \"one\"\n")
      try await Self.expect(
        Self.run + ["--in-process"], Self.name, in: folder, stdout: "< value \"one\"\n",
        stderr: "film ran\n")
    }
  }

  /// What a constructor prints would show.
  @Test(arguments: [[], ["--in-process"]])
  func `nothing runs of a library that the lock doesn't have`(_ more: [String]) async throws {
    try await Self.withLock { folder in
      let locked = try Self.digest("film.so", in: folder)
      try await Self.compileFilm("evil ran", in: folder)
      let found = try Self.digest("film.so", in: folder)
      let refusal =
        "Could not load \"film.so\": its SHA-256 is \(found), and plugins.lock lists \(locked) for"
        + " \"film\". "
      for command in [Self.run, ["describe", "film.so", "--lock", "plugins.lock"]] {
        try await Self.expect(
          command + more, Self.name, in: folder, stderr: "vmhost: \(refusal)\(Self.advice)",
          status: 3)
      }
      try folder.write("vmt 1\n@plugin film.so\n@open film.box\n", to: "a.vmt")
      for command in ["replay", "test"] {
        let output = try await VMHostRun.output(
          [command, "a.vmt", "--lock", "plugins.lock"] + more, workingDirectory: folder.path)
        #expect((output.stdout + output.stderr).contains(refusal))
        #expect(!(output.stdout + output.stderr).contains("evil ran"))
        #expect(output.status == .exited(3))
      }
      // By another name, no entry is like it.
      try FileManager.default.moveItem(
        atPath: folder.file("film.so"), toPath: folder.file("x.so"))
      try await Self.expect(
        ["run", "x.so", "--lock", "plugins.lock"] + more + Arguments.text, in: folder,
        stderr: "vmhost: Could not load \"x.so\": its SHA-256 is \(found), and plugins.lock doesn't"
          + " list it. \(Self.advice.replacing("film.so", with: "x.so"))", status: 3)
    }
  }

  @Test(arguments: [[], ["--in-process"]])
  func `a library beside it must be the locked one`(_ more: [String]) async throws {
    try await Self.withLock { folder in
      let locked = try Self.digest("libbeside.so", in: folder)
      try await Self.compileBeside("two", in: folder)
      let found = try Self.digest("libbeside.so", in: folder)
      try await Self.expect(
        Self.run + more, Self.name, in: folder,
        stderr: "vmhost: Could not load \"film.so\": the library \"libbeside.so\" beside it has the"
          + " SHA-256 \(found), and plugins.lock lists \(locked) for it. \(Self.advice)", status: 3)
      let text = try String(contentsOfFile: folder.file("plugins.lock"), encoding: .utf8)
      let none = text.replacing(/, "beside": \[\n.*\n    \]/, with: "")
      try folder.write(none, to: "plugins.lock")
      try await Self.expect(
        Self.run + more, Self.name, in: folder,
        stderr: "vmhost: Could not load \"film.so\": the library \"libbeside.so\" beside it has the"
          + " SHA-256 \(found), and plugins.lock doesn't list it for \"film\". \(Self.advice)",
        status: 3)
    }
  }

  @Test func `a library must have the id that the lock has for it`() async throws {
    try await Self.withLock { folder in
      let text = try String(contentsOfFile: folder.file("plugins.lock"), encoding: .utf8)
      try folder.write(text.replacing("\"film\"", with: "\"movies\""), to: "plugins.lock")
      try await Self.expect(
        Self.run, Self.name, in: folder, stdout: "# film.so printed: film ran\n",
        stderr: "vmhost: Could not load \"film.so\": its id is \"film\", and plugins.lock lists"
          + " \"movies\" for its SHA-256 \(try Self.digest("film.so", in: folder))."
          + " \(Self.advice)", status: 3)
    }
  }

  @Test func `a library that is needed by its path can't be locked`() async throws {
    try await TemporaryDirectory.with { folder in
      try await Self.compileBeside("one", in: folder)
      try await PosingPlugin.compile(
        "film", to: folder.file("film.so"), ["-DBESIDE", folder.file("libbeside.so")])
      try await Self.expect(
        ["lock", "film.so"], in: folder,
        stderr: "vmhost: Could not load \"film.so\": it needs \"\(folder.file("libbeside.so"))\" by"
          + " its path, so a lock can't say which libraries are loaded.\n", status: 3)
    }
  }

  private static let sum = String(repeating: "0", count: 64)

  @Test(arguments: [
    ("", "1:1: this is not JSON: expected a value, found the end of the input."),
    ("lock", "1:1: this is not JSON: expected a value, found \"l\"."),
    ("[]", "1:1: a lock is an object."),
    ("{\"lock\":1}", "1:1: a lock needs \"plugins\"."),
    ("{\"plugins\":[]}", "1:1: a lock needs \"lock\"."),
    (
      "{\"lock\":2,\"plugins\":[]}",
      "1:9: \"lock\" must be 1, the version that this vmhost knows."
    ),
    ("{\"lock\":1,\n \"plugins\":{}}", "2:12: \"plugins\" must be an array."),
    (
      "{\"lock\":1,\"plugins\":[],\"plugin\":1}",
      "1:24: a lock has no \"plugin\" here. Did you mean \"plugins\"?"
    ),
    ("{\"lock\":1,\"plugins\":[\n{}]}", "2:1: a plugin needs \"id\"."),
    (
      "{\"lock\":1,\"plugins\":[\n{\"id\":1,\"version\":\"\",\"file\":\"\",\"sha256\":\"\"}]}",
      "2:7: \"id\" must be a string."
    ),
    (
      "{\"lock\":1,\"plugins\":[\n"
        + "{\"id\":\"a\",\"version\":\"1\",\"file\":\"a\",\"sha256\":\"abc\"}]}",
      "2:45: \"sha256\" must be 64 hexadecimal digits in lower case."
    ),
    (
      "{\"lock\":1,\"plugins\":[\n"
        + "{\"id\":\"a\",\"version\":\"1\",\"file\":\"a\",\"sha256\":\"\(sum)\"},\n"
        + "{\"id\":\"a\",\"version\":\"1\",\"file\":\"a\",\"sha256\":\"\(sum)\"}]}",
      "3:7: the plugin \"a\" appears twice."
    ),
    (
      "{\"lock\":1,\"plugins\":[\n"
        + "{\"id\":\"a\",\"version\":\"1\",\"file\":\"a\",\"sha256\":\"\(sum)\"},\n"
        + "{\"id\":\"b\",\"version\":\"1\",\"file\":\"a\",\"sha256\":\"\(sum)\"}]}",
      "3:45: \"a\" has this SHA-256 already."
    ),
    (
      "{\"lock\":1,\"plugins\":[\n"
        + "{\"id\":\"a\",\"version\":\"1\",\"file\":\"a\",\"sha256\":\"\(sum)\",\"beside\":[\n"
        + "{\"name\":\"x\",\"sha256\":\"\(sum)\"},\n{\"name\":\"x\",\"sha256\":\"\(sum)\"}]}]}",
      "4:9: the library \"x\" appears twice."
    ),
  ])
  func `a broken lock is one error with its place`(_ text: String, _ words: String) async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(text, to: "a.lock")
      let output = try await VMHostRun.output(
        ["run", "echo.so", "--lock", "a.lock"], workingDirectory: folder.path)
      #expect(output.stderr.split(separator: "\n").first ?? "" == "vmhost: a.lock:\(words)")
      #expect(output.status == .exited(2))
    }
  }

  @Test(arguments: ["/dev/zero", "/", "/nowhere"])
  func `what is no file is no lock`(_ path: String) async throws {
    let reason = path == "/nowhere" ? "No such file or directory" : "it is not a file"
    for command in ["run", "describe", "test", "replay"] {
      try await VMHostRun.expect(
        [command, "echo.so", "--lock", path],
        stderr: "vmhost: could not read the lock \"\(path)\": \(reason).\n", status: 2)
    }
  }
}

import Foundation
import HostShims
import TestSupport
import Testing

/// What confinement refuses explains itself: `Documentation/Mistakes.md` has a row for each, and
/// these rows are tried.
///
/// A sanitizer has functions of its own where vmhost has these.
@Suite(.enabled(if: host_is_sanitized() == 0)) struct ConfinementMistakeTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    /// The input of the fixture that makes it.
    let input: String
    /// What the author wrote.
    let code: String
    /// What vmhost says, without what the plugin was doing.
    let words: String
    let instead: String

    var testDescription: String { input }
    /// Its row in the document.
    var row: String { "| `\(code)` | \(words) | \(instead) |" }
  }

  private static let thread = "and a confined plugin has one thread; use Work or Task"
  private static let loop = "and a confined plugin has no run loop; use the kit's Timer"
  private static let network = "and a confined plugin has no network; use HTTP or another effect"
  private static let files = "and a confined plugin has no files; use Storage or another effect"
  private static let process = "and a confined plugin starts no process; use an effect"
  private static let work = "`work.start { … }`"
  private static let sleep = "`try await timer.sleep(for: .seconds(1))`"
  private static let get = "`try await http.get(url)`"
  private static let storage = "`try await storage.get(\"key\", as: String.self)`, or a config"
  private static let effect = "`Effect<Question, Answer>(\"name\")`, which the host answers"

  static let ending = [
    Mistake(
      input: "thread", code: "Thread.detachNewThread { … }", words: "it used Thread, \(thread)",
      instead: work),
    Mistake(
      input: "mainQueue", code: "DispatchQueue.main.async { … }",
      words: "it used DispatchQueue.async, \(thread)", instead: "the line itself"),
    Mistake(
      input: "globalQueue", code: "DispatchQueue.global().async { … }",
      words: "it used DispatchQueue.async, \(thread)", instead: work),
    Mistake(
      input: "ownQueue", code: "DispatchQueue(label: \"own\").async { … }",
      words: "it used DispatchQueue.async, \(thread)", instead: work),
    Mistake(
      input: "concurrentPerform", code: "DispatchQueue.concurrentPerform(iterations: 8) { … }",
      words: "it used DispatchQueue.concurrentPerform, \(thread)", instead: "a loop"),
    Mistake(
      input: "asyncAfter", code: "DispatchQueue.global().asyncAfter(deadline: .now() + 1) { … }",
      words: "it used DispatchQueue.asyncAfter, \(loop)", instead: sleep),
    Mistake(
      input: "timer", code: "Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { … }",
      words: "it used Foundation's Timer, \(loop)", instead: sleep),
    Mistake(
      input: "runLoop", code: "RunLoop.current.run(until: date)",
      words: "it used RunLoop, \(loop)", instead: sleep),
    Mistake(
      input: "urlSession", code: "URLSession.shared.dataTask(with: url).resume()",
      words: "it used URLSession, \(network)", instead: get),
    Mistake(
      input: "process", code: "try process.run()", words: "it used Process, \(process)",
      instead: effect),
  ]

  static let failing = [
    Mistake(
      input: "pthread", code: "pthread_create(&thread, nil, body, nil)",
      words: "it called pthread_create, \(thread)", instead: work),
    Mistake(
      input: "readData", code: "try? Data(contentsOf: url)",
      words: "it used Data(contentsOf:) on \"/etc/passwd\", \(files)", instead: storage),
    Mistake(
      input: "readString", code: "try? String(contentsOfFile: path, encoding: .utf8)",
      words: "it used String(contentsOfFile:) on \"/etc/passwd\", \(files)", instead: storage),
    Mistake(
      input: "writeData", code: "try? data.write(to: url)",
      words: "it used Data.write(to:) on \"/etc/passwd\", \(files)",
      instead: "`try await storage.set(\"key\", value)`"),
    Mistake(
      input: "listFolder", code: "try? FileManager.default.contentsOfDirectory(atPath: \"/etc\")",
      words: "it used FileManager on \"/etc\", \(files)", instead: storage),
    Mistake(
      input: "makeFile", code: "FileManager.default.createFile(atPath: path, contents: nil)",
      words: "it used FileManager on \"/tmp/new\", \(files)",
      instead: "`try await storage.set(\"key\", value)`"),
    Mistake(
      input: "fileHandle", code: "FileHandle(forReadingAtPath: path)",
      words: "it used FileHandle on \"/etc/passwd\", \(files)", instead: storage),
    Mistake(
      input: "openFile", code: "open(path, O_RDONLY)",
      words: "it called open on \"/etc/passwd\", \(files)", instead: storage),
    Mistake(
      input: "socket", code: "socket(AF_INET, type, 0)", words: "it called socket, \(network)",
      instead: get),
    Mistake(
      input: "spawn", code: "posix_spawn(&process, path, nil, nil, &arguments, nil)",
      words: "it called posix_spawn, \(process)", instead: effect),
    Mistake(
      input: "execute", code: "execv(path, &arguments)", words: "it called execv, \(process)",
      instead: effect),
    Mistake(
      input: "system", code: "system(\"date\")", words: "it called system, \(process)",
      instead: effect),
    Mistake(
      input: "pipe", code: "popen(\"date\", \"r\")", words: "it called popen, \(process)",
      instead: effect),
    Mistake(
      input: "defaults", code: "UserDefaults.standard.set(\"dark\", forKey: \"theme\")",
      words: "it used UserDefaults, and its contents are lost when a confined plugin ends; use"
        + " Storage",
      instead: "`try await storage.set(\"key\", value)`"),
  ]

  private static let run = ["run", "confinedfixture.so"] + Arguments.text

  @Test(arguments: ending)
  func `what would crash or hang ends the session with one sentence`(
    _ mistake: Mistake
  ) async throws {
    try await VMHostRun.expect(
      Self.run, .text("# a comment\n> \(mistake.input)\n"),
      stderr: """
        vmhost: <stdin>:2: confinedfixture.so was stopped while it handled the input \
        "\(mistake.input)": \(mistake.words).

        """, status: 6)
  }

  @Test(arguments: failing)
  func `what can be handled is told once, and the session goes on`(
    _ mistake: Mistake
  ) async throws {
    let output = try await VMHostRun.output(
      Self.run, .text("> \(mistake.input)\n> \(mistake.input)\n"))
    #expect(
      output.lines.filter { !$0.hasPrefix("< done ") } == [
        "# confinedfixture.so printed: vmhost: while it handled the input \"\(mistake.input)\", "
          + mistake.words
      ])
    #expect(output.lines.count == 3)
    #expect(output.stderr == "")
    #expect(output.status == .success)
  }

  /// Functions that start a process or take the place of this one, and the status in process.
  private static let starts: [(String, Int32?)] = [
    ("fork", nil), ("execv", 4), ("execvp", 4), ("execve", 42), ("execvpe", 42), ("execveat", 42),
    ("fexecve", nil), ("execl", 4), ("execlp", 4), ("execle", 42),
  ]

  @Test func `each function that starts a process is told by its name`() async throws {
    let root = try Repository.root()
    try await TemporaryDirectory.with { folder in
      try await Compiler.c.run([
        "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
        "-I", "\(root)/Sources/PluginABI/include", "-I", "\(root)/Examples/plugins/c",
        "\(root)/Tests/Fixtures/ProcessStarts/starts.c", "-o", folder.file("starts.so"),
      ])
      let run = ["run", folder.file("starts.so")] + Arguments.text
      for (function, status) in Self.starts {
        let script = "> call \"\(function)\"\n"
        let output = try await VMHostRun.output(run, .text(script))
        #expect(
          output.lines.map { $0.replacing("\(folder.path)/", with: "") } == [
            "# starts.so printed: vmhost: while it handled the input \"call\", it called"
              + " \(function), \(Self.process)", "< result -1",
          ])
        #expect(output.status == .success)
        guard let status else { continue }
        let free = try await VMHostRun.output(run + ["--in-process"], .text(script))
        #expect(free.status == .exited(status), "\(function): \(free.stdout)\(free.stderr)")
      }
    }
  }

  /// What ends the process: the input, what the author wrote, and what vmhost says.
  private static let ends = [
    (
      "exit", "`exit(3)`",
      "ended its process (exit status 3) while it handled the input \"exit\": it called exit, and a"
        + " plugin doesn't end its process; throw an error"
    ),
    (
      "abort", "`abort()`",
      "crashed with signal 6 (Aborted) while it handled the input \"abort\": it called abort, and"
        + " a plugin doesn't end its process; throw an error"
    ),
    (
      "fatal", "`fatalError(\"the cart is empty\")`",
      "crashed while it handled the input \"fatal\": ConfinedFixture/Act.swift:LINE: Fatal error:"
        + " the cart is empty"
    ),
    (
      "index", "`rows[3]`, of three",
      "crashed while it handled the input \"index\": Swift/ContiguousArrayBuffer.swift:LINE: Fatal"
        + " error: Index out of range"
    ),
  ]

  @Test(arguments: ends)
  func `an end says in whose words it came`(
    _ input: String, _ code: String, _ words: String
  ) async throws {
    let output = try await VMHostRun.output(Self.run, .text("> \(input)\n"))
    #expect(
      output.stderr.replacing(/swift:\d+:/, with: "swift:LINE:")
        == "vmhost: <stdin>:1: confinedfixture.so \(words).\n")
    // Swift's stack trace is only addresses.
    #expect(output.stdout == "")
    #expect(output.status == .exited(6))
  }

  @Test func `names the view model among several, and the opening`() async throws {
    try await VMHostRun.expect(
      Self.run, .text("@open confined.slow\n> acts.thread\n"),
      stderr: """
        vmhost: <stdin>:2: confinedfixture.so was stopped while it handled the input "thread" of \
        confined.acts: it used Thread, \(Self.thread).

        """, status: 6)
    try await VMHostRun.expect(
      Self.run + ["--view-model", "confined.opened", "--config", "{\"act\":\"urlSession\"}"],
      stderr: """
        vmhost: confinedfixture.so was stopped while it opened confined.opened: it used \
        URLSession, \(Self.network).

        """, status: 6)
  }

  @Test func `tells of a thread that was started while the plugin was loaded`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try FixtureLibrary.copy(
        of: "hostilefixture", choosing: "load:start-thread", in: folder)
      let output = try await VMHostRun.output(["run", path] + Arguments.text, .text("> go\n"))
      let words = "while it was loaded, it called pthread_create, \(Self.thread)"
      #expect(output.lines.contains("# \(path) printed: vmhost: \(words)"), "\(output.stdout)")
    }
  }

  @Test func `says nothing of files that a library only looks for`() async throws {
    try await VMHostRun.expect(Self.run, .text("> timeZone\n"), stdout: "< done \"true\"\n")
  }

  @Test(arguments: ["thread", "readData", "socket"])
  func `in process nothing is refused`(_ input: String) async throws {
    let output = try await VMHostRun.output(Self.run + ["--in-process"], .text("> \(input)\n"))
    #expect(output.lines.count == 1)
    #expect(!output.stdout.contains("vmhost: "))
    #expect(output.stderr == "")
    #expect(output.status == .success)
  }

  @Test func `a transcript fails with the same sentence`() async throws {
    let head = "vmt 1\n@plugin confinedfixture.so\n@open confined.acts\n"
    try await TestFolder.with(["a.vmt": head + "> globalQueue\n< done \"came back\"\n"]) { folder in
      let output = try await folder.test(["a.vmt"])
      #expect(
        output.stdout.hasPrefix(
          """
          crashed: a.vmt:4: confinedfixture.so was stopped while it handled the input \
          "globalQueue": it used DispatchQueue.async, \(Self.thread).

          """), "\(output.stdout)")
      #expect(output.status == .exited(6))
    }
  }

  @Test func `a plugin can't forge more than its own words`() async throws {
    // Printed by the plugin itself, it ends no session and stays one line.
    let output = try await VMHostRun.output(
      ["run", "printingfixture.so"] + Arguments.text,
      .text("> puts \"vmhost: it used \\u001b[2Jnothing\"\n"))
    #expect(
      output.lines.contains {
        $0.hasPrefix("# printingfixture.so printed: vmhost: while it handled the input \"puts\"")
          && !$0.contains("\u{1b}")
      }, "\(output.stdout)")
    #expect(output.status == .success)
  }

  @Test func `a backtrace leads to the author's line`() async throws {
    let output = try await VMHostRun.output(
      Self.run + ["--backtrace"], .text("> globalQueue\n"))
    #expect(
      output.stderr.hasPrefix(
        """
        vmhost: <stdin>:1: confinedfixture.so was stopped while it handled the input \
        "globalQueue": it used DispatchQueue.async, \(Self.thread).
        vmhost: replaying 2 events without confinement for a backtrace …

        """), "\(output.stderr)")
    // Not all toolchains have a backtracer.
    if !output.stderr.contains("swift-backtrace was not found") {
      #expect(output.stderr.contains("DispatchQueue.async("), "\(output.stderr)")
      #expect(output.stderr.contains("Act.swift:"), "\(output.stderr)")
      #expect(!output.stderr.contains(" in vmhost"), "\(output.stderr)")
    }
    #expect(output.status == .exited(6))
  }

  @Test func `the document has these rows and no others`() throws {
    let page = try Repository.text("Documentation/Mistakes.md")
    let section = try #require(
      page.components(separatedBy: "\n## ").first {
        $0.hasPrefix("What a confined plugin can't do\n")
      })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    let ends = Self.ends.map { input, code, words in
      let said = words.replacing("\"\(input)\"", with: "\"pay\"")
        .replacing("ConfinedFixture/Act.swift:LINE", with: "Cart/Cart.swift:12")
      return "| \(code) | cart.so \(said). |"
    }
    #expect(rows == (Self.ending + Self.failing).map(\.row) + ends)
  }
}

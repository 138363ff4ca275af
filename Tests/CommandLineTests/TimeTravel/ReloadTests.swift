import Foundation
import HostCore
import TestSupport
import Testing

/// `vmhost run --watch`: a plugin that changes in a running session.
struct ReloadTests {
  /// A session of the shop, in a folder of its own.
  struct Session {
    let folder: TestFolder
    let child: ChildProcess

    init(_ folder: TestFolder, _ arguments: [String] = []) throws {
      self.folder = folder
      child = try VMHostRun.start(
        ["run", "shop.so", "--watch"] + Arguments.jsonl + arguments,
        workingDirectory: folder.path, input: .pipe)
      _ = try lines(until: #"output","name":"total","value":0}"#)
    }

    /// What is printed up to a line with this text, without times.
    @discardableResult
    func lines(until text: String) throws -> [String] {
      var lines: [String] = []
      while let line = try child.readLine() {
        lines += try TimeTravelTests.lines("session\n" + line)
        if lines.last?.contains(text) == true { return lines }
      }
      throw TestSupportError("It ended after \(lines): \(try child.wait().stderr)")
    }

    @discardableResult
    func send(_ line: String, until text: String) throws -> [String] {
      try child.writeLine(line)
      return try lines(until: text)
    }

    /// Puts a build in the place of the present one.
    func replace(with change: String) async throws {
      let other = folder.file("other")
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
      try await ShopPlugin.compile(change, into: other)
      try TestFile.replace(folder.file("shop.so"), with: "\(other)/shop.so")
    }

    func end() throws -> ChildProcess.Output {
      child.closeInput()
      return try child.wait()
    }
  }

  private func with(
    _ arguments: [String] = ["--effect", "http=none"], _ body: (Session) async throws -> Void
  ) async throws {
    try await TestFolder.with { folder in
      try await ShopPlugin.compile("", into: folder.path)
      let session = try Session(folder, arguments)
      try await body(session)
      #expect(try session.end().status == .success)
    }
  }

  /// A session whose second request is still open.
  private static func play(_ session: Session) throws {
    try session.send(#"{"name":"search","value":"tea"}"#, until: "request")
    try session.send(#"{"kind":"reply","id":1,"value":["green"]}"#, until: #""total","value":1"#)
    try session.send(#"{"name":"select","value":"green","seq":1}"#, until: "done")
  }

  private static let frame = #"{"instance":"shop","kind":"frame","states":"#
  private static func request(_ id: Int, _ value: String) -> String {
    #"{"effect":"http","id":\#(id),"instance":"shop","kind":"request","value":\#(value)}"#
  }
  private static let cancel = #"{"effect":"http","id":2,"instance":"shop","kind":"cancel"}"#

  private static let changes: [(change: String, expected: [String])] = [
    // Nothing is cancelled or asked again.
    ("NOTHING", [#"{"differences":0,"kind":"reload","plugin":"shop","step":4}"#]),
    (
      "OUTPUT_OTHER",
      [
        #"{"differences":2,"kind":"reload","plugin":"shop","step":4}"#,
        #"\#(frame){"items":["green"],"total":"1 items"}}"#,
      ]
    ),
    (
      "STATE_ADDED",
      [
        #"{"differences":2,"kind":"reload","plugin":"shop","step":4}"#,
        #"\#(frame){"isEmpty":false,"items":["green"],"total":1}}"#,
      ]
    ),
    (
      "INPUT_RENAMED",
      [
        #"{"differences":1,"kind":"reload","plugin":"shop","skipped":1,"step":2}"#,
        #"\#(frame){"items":[],"total":0}}"#,
      ]
    ),
    // An answer belongs to its question, and a new question is asked.
    (
      "REQUEST_OTHER",
      [
        #"{"differences":2,"kind":"reload","plugin":"shop","step":3}"#,
        #"\#(frame){"items":[],"total":0}}"#, request(3, #"{"url":"/v2/search?q=tea"}"#),
      ]
    ),
    // What does more than ask isn't done without the user.
    (
      "REQUEST_POST",
      [
        #"{"differences":2,"kind":"reload","open":[{"effect":"http","id":3,"instance":"shop"}],"#
          + #""plugin":"shop","step":3}"#,
        #"\#(frame){"items":[],"total":0}}"#,
      ]
    ),
    (
      "REQUEST_MORE",
      [
        #"{"differences":1,"kind":"reload","open":[{"effect":"track","id":3,"instance":"shop"}],"#
          + #""plugin":"shop","step":4}"#
      ]
    ),
    // The request comes later than its answer came.
    ("REQUEST_LATER", [#"{"differences":3,"kind":"reload","plugin":"shop","step":4}"#]),
    (
      "REPLY_REFUSED",
      [
        #"{"differences":0,"kind":"reload","plugin":"shop","skipped":1,"step":3}"#,
        #"\#(frame){"items":[],"total":0}}"#, request(3, #"{"url":"/search?q=tea"}"#),
      ]
    ),
    (
      "CRASH",
      [
        #"{"error":"shop.so crashed with signal 6 (Aborted) while it handled the input \"search\":"#
          + #" it called abort, and a plugin doesn't end its process; throw an error.","#
          + #""kind":"reload","plugin":"shop","step":4}"#
      ]
    ),
    (
      "CONTRACT",
      [
        #"{"error":"shop.so broke its contract at the input \"search\": shop (shop): it emitted"#
          + #" \"nothing\", which isn't in its manifest.","kind":"reload","plugin":"shop","#
          + #""step":4}"#
      ]
    ),
    (
      "VIEW_MODEL_RENAMED",
      [
        cancel, #"{"instance":"shop","kind":"close"}"#,
        #"{"differences":1,"kind":"reload","plugin":"shop","skipped":3,"step":0}"#,
      ]
    ),
  ]

  @Test(arguments: changes)
  func `a new build takes the session over, and says what is different`(
    _ change: (change: String, expected: [String])
  ) async throws {
    try await with { session in
      try Self.play(session)
      try await session.replace(with: change.change)
      let found = try session.lines(until: #""kind":"reload""#)
      // Whatever else belongs to it comes before the answer to the next line.
      let rest = try session.send(#"{"kind":"advance","by":"1ms","seq":2}"#, until: "done")
      #expect(found + rest.dropLast() == change.expected)
    }
  }

  @Test func `an answer that was under way reaches the new build, and nobody is asked twice`()
    async throws
  {
    try await TestFolder.with([
      "shop.sh": """
      while IFS= read -r line; do
        echo "$line" >> log
        id=${line#*'"id":'}
        case $line in
          *item*) read -r go < gate; echo '{"kind":"reply","id":'"${id%%,*}"',"value":7}' ;;
          *request*) echo '{"kind":"reply","id":'"${id%%,*}"',"value":["green"]}' ;;
        esac
      done
      """
    ]) { folder in
      try await ShopPlugin.compile("", into: folder.path)
      #expect(unsafe mkfifo(folder.file("gate"), 0o600) == 0)
      let session = try Session(folder, ["--effect", "http=sh shop.sh"])
      try session.send(#"{"name":"search","value":"tea"}"#, until: #""total","value":1"#)
      try session.send(#"{"name":"select","value":"green","seq":1}"#, until: "done")
      try await session.replace(with: "OUTPUT_OTHER")
      try session.lines(until: #""kind":"frame""#)
      let gate = try #require(FileHandle(forWritingAtPath: folder.file("gate")))
      try gate.write(contentsOf: [0x0a])
      try gate.close()
      #expect(
        try session.lines(until: "opened") == [
          #"{"instance":"shop","kind":"output","name":"opened","value":7}"#
        ])
      // A question that is new is asked.
      try await session.replace(with: "REQUEST_OTHER")
      try session.lines(until: #""total","value":1"#)
      #expect(try session.end().status == .success)
      #expect(
        try folder.text("log") == """
          {"kind":"request","id":1,"effect":"http","value":{"url":"/search?q=tea"}}
          {"kind":"request","id":2,"effect":"http","value":{"url":"/item/green"}}
          {"kind":"request","id":3,"effect":"http","value":{"url":"/v2/search?q=tea"}}

          """)
    }
  }

  @Test func `what is no library, or gone for a while, leaves the old build serving`() async throws
  {
    try await with { session in
      try session.folder.folder.write("no library", to: "shop.so")
      let found = try session.lines(until: #""kind":"reload""#)
      #expect(found.last?.contains(#""error":"Could not load \"shop.so\": "#) == true, "\(found)")
      try FileManager.default.removeItem(atPath: session.folder.file("shop.so"))
      try session.send(#"{"name":"clear","seq":1}"#, until: "done")
      try await session.replace(with: "OUTPUT_OTHER")
      #expect(
        try session.lines(until: #""kind":"reload""#) == [
          #"{"differences":2,"kind":"reload","plugin":"shop","step":2}"#
        ])
    }
  }

  @Test func `what a build can't do, the next one gets again`() async throws {
    try await with { session in
      try Self.play(session)
      try await session.replace(with: "VIEW_MODEL_RENAMED")
      try session.lines(until: #""kind":"reload""#)
      try await session.replace(with: "OUTPUT_OTHER")
      #expect(
        try session.lines(until: #""kind":"frame""#) == [
          #"{"instance":"shop","kind":"open","viewModel":"shop"}"#,
          #"{"differences":2,"kind":"reload","plugin":"shop","step":4}"#,
          #"\#(Self.frame){"items":["green"],"total":"1 items"}}"#,
        ])
    }
  }

  @Test func `what a build couldn't do isn't made up for on another branch`() async throws {
    try await with { session in
      try Self.play(session)
      try await session.replace(with: "VIEW_MODEL_RENAMED")
      try session.lines(until: #""kind":"reload""#)
      // A step more, and one less.
      try session.send(#"{"kind":"open","viewModel":"store","seq":1}"#, until: "done")
      try session.send(#"{"kind":"go","step":0,"seq":2}"#, until: "done")
      try await session.replace(with: "NOTHING")
      #expect(
        try session.lines(until: #""kind":"reload""#) == [
          #"{"differences":0,"kind":"reload","plugin":"shop","step":0}"#
        ])
    }
  }

  @Test func `a build that fails shows its errors, and one that succeeds is loaded`() async throws {
    try await TestFolder.with(["source.txt": "good"]) { folder in
      try await ShopPlugin.compile("OUTPUT_OTHER", into: folder.path)
      try FileManager.default.moveItem(
        atPath: folder.file("shop.so"), toPath: folder.file("other.so"))
      try await ShopPlugin.compile("", into: folder.path)
      let command =
        "if grep -q good source.txt; then true; elif grep -q new source.txt; then"
        + " cp other.so next.so && mv next.so shop.so;"
        + " else echo 'source.txt:1: bad' >&2; exit 3; fi"
      let session = try Session(folder, ["--build", command])
      try folder.folder.write("bad", to: "source.txt")
      try session.child.waitForStderr(containing: "source.txt:1: bad\n")
      try session.send(#"{"name":"clear","seq":1}"#, until: "done")
      try folder.folder.write("new", to: "source.txt")
      try session.lines(until: #""kind":"reload""#)
      let output = try session.end()
      #expect(
        output.stderr.replacing(/[0-9.]+s\b/, with: "TIME").replacing(command, with: "COMMAND")
          == """
          vmhost: building: COMMAND
          vmhost: built in TIME
          vmhost: building: COMMAND
          vmhost: the build failed (exit status 3) after TIME:
          source.txt:1: bad
          vmhost: building: COMMAND
          vmhost: built in TIME

          """)
    }
  }

  @Test func `after a script the session stays until it is ended`() async throws {
    try await TestFolder.with(["s.vmt": ShopPlugin.transcript]) { folder in
      try await ShopPlugin.compile("", into: folder.path)
      let child = try VMHostRun.start(
        ["run", "--script", "s.vmt", "--watch"] + Arguments.jsonl, workingDirectory: folder.path,
        input: .null)
      let next = { (text: String) in
        while let line = try child.readLine() { if line.contains(text) { return line } }
        throw TestSupportError("It ended before \(text).")
      }
      _ = try next(#"{"kind":"output","t":2,"instance":"shop","name":"total""#)
      try await ShopPlugin.compile("OUTPUT_LESS", into: folder.path)
      #expect(
        try next("reload")
          == #"{"kind":"reload","t":2,"differences":1,"plugin":"shop","step":6}"#)
      child.kill(SIGINT)
      #expect(try child.wait().status == .signaled(SIGINT))
    }
  }

  @Test func `a thousand reloads leave nothing behind`() async throws {
    try await with { session in
      try Self.play(session)
      try await session.replace(with: "OUTPUT_OTHER")
      try session.lines(until: #""kind":"frame""#)
      let builds = ["changed", "unchanged"].map(session.folder.file)
      try FileManager.default.copyItem(atPath: session.folder.file("shop.so"), toPath: builds[0])
      try await session.replace(with: "")
      try session.lines(until: #""kind":"frame""#)
      try FileManager.default.copyItem(atPath: session.folder.file("shop.so"), toPath: builds[1])
      func state() throws -> (descriptors: Int, kilobytes: Int, children: Int) {
        // It answers once it is done with the reload.
        try session.send(#"{"kind":"advance","by":"0ms","seq":1}"#, until: "done")
        let process = "/proc/\(session.child.processID)"
        let status = try String(contentsOfFile: "\(process)/status", encoding: .utf8)
        let memory = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        let children = try Files.names(in: "\(process)/task").reduce(0) { sum, thread in
          let list = try Files.read("\(process)/task/\(thread)/children")
          return sum + String(decoding: list, as: UTF8.self).split(separator: " ").count
        }
        return (
          try Files.names(in: "\(process)/fd").count,
          Int(memory.split(separator: " ")[1]) ?? .max, children
        )
      }
      func reload(_ count: Int) throws {
        for number in 0..<count {
          try TestFile.replace(session.folder.file("shop.so"), with: builds[number % 2])
          try session.lines(until: #""kind":"frame""#)
        }
      }
      try reload(100)
      let before = try state()
      try reload(900)
      let after = try state()
      #expect(after.descriptors <= before.descriptors)
      #expect(after.children <= before.children)
      #expect(after.kilobytes < before.kilobytes * 5 / 4)
    }
  }

  private static let mistakes: [(arguments: [String], message: String)] = [
    (
      ["--watch", "--in-process"],
      "--in-process can't be combined with --watch: a process can't reload a changed plugin."
    ),
    (
      ["--watch", "--record", "r.vmt"],
      "--record can't be combined with --watch: what a new build does isn't what was recorded."
        + " \":save\""
        + " writes the session."
    ),
    (["--build", "make"], "--build needs --watch."),
    (["--watch", "--build", " "], "--build needs a command, as in --build \"make\"."),
  ]

  @Test(arguments: mistakes)
  func `options that make no sense together are refused`(
    _ mistake: (arguments: [String], message: String)
  ) async throws {
    let output = try await VMHostRun.output(["run", "echo.so"] + mistake.arguments)
    #expect(output.status == .exited(2))
    #expect(output.stderr.hasPrefix("vmhost: \(mistake.message)\n"), "\(output.stderr)")
  }
}

import Foundation
import HostCore
import TestSupport
import Testing

/// `vmhost test --watch`: real edits, real builds, and a person at a terminal.
struct TestWatchTests {
  private static let shop = ShopPlugin.transcript

  /// A folder with transcripts of two plugins, one of which is compiled in two variants.
  private static func with<Result>(
    _ files: [String: String] = ["t/shop.vmt": shop, "t/echo.vmt": Sample.passed],
    _ body: (TestFolder) async throws -> Result
  ) async throws -> Result {
    try await TestFolder.with(files) { folder in
      for (name, change) in [("t", ""), ("new", "OUTPUT_OTHER")] {
        try FileManager.default.createDirectory(
          atPath: folder.file(name), withIntermediateDirectories: true)
        try await ShopPlugin.compile(change, into: folder.file(name))
      }
      return try await body(folder)
    }
  }

  private static func heading(_ text: String) -> String { "---- \(text) ----" }

  // MARK: Changes

  @Test func `plays only what a change touches, and those first that failed`() async throws {
    let failing = Self.shop.replacing("< total 2", with: "< total 3")
    try await Self.with([
      "t/a.vmt": Self.shop, "t/z.vmt": failing, "t/echo.vmt": Sample.passed,
    ]) { folder in
      let watched = try WatchedTests.start(folder)
      var lines = try watched.run()
      #expect(lines.first == "failed: t/z.vmt:11: expected < total 3, found < total 2")
      #expect(lines.last == "2 passed, 1 failed in TIME")
      try watched.replace("t/shop.so", with: "new/shop.so")
      lines = try watched.run()
      #expect(lines.first == Self.heading("t/shop.so changed: 2 of 3 transcripts"))
      let failures = lines.filter { $0.hasPrefix("failed: ") }.map { String($0.prefix(15)) }
      #expect(failures.prefix(2) == ["failed: t/z.vmt", "failed: t/a.vmt"])
      #expect(lines.last == "2 failed in TIME")
      try watched.write(Self.shop + "\n", to: "t/a.vmt")
      lines = try watched.run()
      #expect(lines.first == Self.heading("t/a.vmt changed: 1 of 3 transcripts"))
      #expect(lines.suffix(2) == ["1 failed in TIME", "not passed before: t/z.vmt"])
      try watched.write(Sample.passed + "\n", to: "t/echo.vmt")
      try watched.expectRun([
        Self.heading("t/echo.vmt changed: 1 of 3 transcripts"), "1 passed in TIME",
        "not passed before: t/a.vmt, t/z.vmt",
      ])
      // What failed before decides.
      let output = try watched.end()
      #expect(output.status == .exited(1))
      #expect(TestFolder.Output(output).complaints == "")
    }
  }

  @Test func `plays new transcripts, and forgets removed ones`() async throws {
    try await Self.with { folder in
      let watched = try WatchedTests.start(folder)
      try watched.expectRun(["2 passed in TIME"])
      try watched.write(Sample.failed, to: "t/deeper/bad.vmt")
      var lines = try watched.run()
      #expect(lines.first == Self.heading("t/deeper/bad.vmt changed: 1 of 3 transcripts"))
      #expect(lines.last == "1 failed in TIME")
      try FileManager.default.removeItem(atPath: folder.file("t/deeper"))
      lines = try watched.run()
      #expect(lines == ["t/deeper/bad.vmt was removed."])
      try watched.write("no transcript", to: "t/notes.txt")
      try watched.write(Sample.failed, to: "t/.hidden.vmt")
      try watched.write(Sample.passed + "#\n", to: "t/echo.vmt")
      try watched.expectRun([
        Self.heading("t/echo.vmt changed: 1 of 2 transcripts"), "1 passed in TIME",
      ])
      #expect(try watched.end().status == .exited(0))
    }
  }

  @Test func `plays transcripts that are back, and counts none that are gone`() async throws {
    try await TestFolder.with(["t/bad.vmt": Sample.failed]) { folder in
      for (isBack, status) in [(true, Int32(1)), (false, 4)] {
        let watched = try WatchedTests.start(folder)
        try watched.expectRun(endingWith: "1 failed in TIME")
        try FileManager.default.moveItem(atPath: folder.file("t"), toPath: folder.file("away"))
        try watched.expectRun(["t/bad.vmt was removed."])
        if isBack {
          try FileManager.default.moveItem(atPath: folder.file("away"), toPath: folder.file("t"))
          let lines = try watched.run()
          #expect(lines.first == Self.heading("t changed: 1 of 1 transcript"))
          #expect(lines.last == "1 failed in TIME")
        }
        #expect(try watched.end().status == .exited(status))
      }
    }
  }

  @Test func `a flow, and a plugin that was missing, are changes too`() async throws {
    let late = Self.shop.replacing("shop.so", with: "late.so")
    let files = [
      "t/flow.vmt": ShopPlugin.flowTranscript, "t/shop.json": ShopPlugin.flow, "t/late.vmt": late,
    ]
    try await Self.with(files) { folder in
      let watched = try WatchedTests.start(folder)
      try watched.expectRun(endingWith: "1 passed, 1 not loaded in TIME")
      try watched.write(ShopPlugin.flow + " ", to: "t/shop.json")
      try watched.expectRun([
        Self.heading("t/shop.json changed: 1 of 2 transcripts"), "1 passed in TIME",
        "not passed before: t/late.vmt",
      ])
      try watched.replace("t/liblate.so", with: "t/shop.so")
      try watched.expectRun([
        Self.heading("t/liblate.so changed: 1 of 2 transcripts"), "1 passed in TIME",
      ])
      #expect(try watched.end().status == .exited(0))
    }
  }

  @Test func `a library in pieces and a clean build are one change each`() async throws {
    try await Self.with { folder in
      let watched = try WatchedTests.start(folder)
      _ = try watched.run()
      let library = try Files.read(folder.file("new/shop.so"))
      try FileManager.default.removeItem(atPath: folder.file("t/shop.so"))
      for cut in [0..<100, 100..<5000, 5000..<library.count] {
        try watched.append(Array(library[cut]), to: "t/shop.so")
      }
      var lines = try watched.run()
      #expect(lines.first == Self.heading("t/shop.so changed: 1 of 2 transcripts"))
      #expect(lines.last == "1 failed in TIME")
      let kept = folder.file("kept")
      try FileManager.default.moveItem(atPath: folder.file("t"), toPath: kept)
      try FileManager.default.copyItem(atPath: kept, toPath: folder.file("t"))
      lines = try watched.run()
      #expect(lines[0].hasSuffix("changed: 2 of 2 transcripts ----"))
      #expect(lines.last == "1 passed, 1 failed in TIME")
      #expect(try watched.end().status == .exited(1))
    }
  }

  @Test func `two hundred changes leave no descriptors and no processes`() async throws {
    try await Self.with { folder in
      try await ShopPlugin.compile("", into: folder.file("new"), ["-DUNUSED"])
      let watched = try WatchedTests.start(folder, ["-j", "2"])
      _ = try watched.run()
      let descriptors = try watched.waitUntilIdle()
      for _ in 0..<200 {
        try watched.replace("t/shop.so", with: "new/shop.so")
        try watched.expectRun(endingWith: "1 passed in TIME")
      }
      try watched.waitUntilIdle(descriptors: descriptors)
      #expect(try watched.end().status == .exited(0))
    }
  }

  @Test(arguments: [
    (
      "max_inotify_instances", "0",
      "has no more watchers for this user (fs.inotify.max_user_instances)"
    ),
    (
      "max_inotify_watches", "2",
      "watches no more folders for this user (fs.inotify.max_user_watches)"
    ),
  ])
  func `a user without watchers is told so, and has changes played`(
    _ limit: String, _ value: String, _ reason: String
  ) async throws {
    try await TestFolder.with(["t/echo.vmt": Sample.passed]) { folder in
      // Only in a namespace of its own does a user have such a limit.
      let script = "echo \(value) > /proc/sys/user/\(limit) && exec \"$0\" test t --watch"
      let child = try ChildProcess(
        "/usr/bin/env",
        ["unshare", "-Ur", "sh", "-c", script, BuildProducts.executable("vmhost")],
        environment: VMHostRun.environment, workingDirectory: folder.path, input: .null)
      let watched = WatchedTests(folder: folder, child: child)
      try watched.expectRun(["1 passed in TIME"])
      try watched.write(Sample.failed, to: "t/echo.vmt")
      try watched.expectRun(endingWith: "1 failed in TIME")
      let output = try watched.end()
      #expect(output.status == .exited(1))
      let notice = "vmhost: --watch: looking for changes every 250 ms: the system \(reason).\n"
      #expect(output.stderr.hasSuffix(notice), "\(output.stderr)")
    }
  }

  // MARK: Mistakes

  @Test(arguments: [
    (["--build", "make"], "--build needs --watch."),
    (["--watch", "--build", " "], "--build needs a command, as in --build \"make\"."),
    (
      ["--watch", "--shard", "1/2"],
      "--shard can't be combined with --watch: most of its runs play only some of the transcripts."
    ),
    (
      ["--watch", "--junit", "j.xml"],
      "--junit can't be combined with --watch: most of its runs play only some of the transcripts."
    ),
    (["--watch", "--list"], "--list can't be combined with --watch: it plays transcripts."),
    (
      ["--watch", "--update"],
      "--update can't be combined with --watch: changes are accepted in a run of their own."
    ),
    (
      ["--watch", "--in-process"],
      "--in-process can't be combined with --watch: a process can't reload a changed plugin."
    ),
    (
      ["--watch", "--last-failed"],
      "--last-failed can't be combined with --watch: it plays those that failed first anyway."
    ),
  ])
  func `says which options can't go together`(
    _ options: [String], _ message: String
  ) async throws {
    try await VMHostRun.expect(["test", "t"] + options, stderr: "vmhost: \(message)\n", status: 2)
  }

  @Test func `there must be something to watch at first`() async throws {
    try await TestFolder.with { folder in
      let output = try await folder.test(["nothing", "--watch"])
      #expect(output.stderr == "vmhost: there is no file or folder \"nothing\".\n")
      #expect(output.status == .exited(2))
    }
  }

  // MARK: At a terminal

  @Test func `keys play all, play those that failed, and end it`() async throws {
    try await Self.with(["t/bad.vmt": Sample.failed, "t/echo.vmt": Sample.passed]) { folder in
      let prompt = "Waiting for changes (space: all, f: those that failed, q: quit)"
      let terminal = try folder.terminal(["t", "--watch"], ["NO_COLOR": "1"])
      try terminal.read(until: prompt)
      try terminal.write(" ")
      try terminal.read(until: "---- all: 2 of 2 transcripts ----")
      try terminal.read(until: prompt)
      try terminal.write("x\u{1B}[Af")
      try terminal.read(until: "---- those that failed: 1 of 2 transcripts ----")
      try terminal.read(until: prompt)
      try folder.folder.write(Sample.passed, to: "t/bad.vmt")
      try terminal.read(until: "---- t/bad.vmt changed: 1 of 2 transcripts ----")
      try terminal.read(until: prompt)
      try terminal.write("q")
      #expect(try terminal.waitForExit() == .status(0))
    }
  }

  @Test(arguments: ["\u{3}", "\u{4}"])
  func `Ctrl-C ends it with the status of the last results`(_ key: String) async throws {
    try await Self.with(["t/bad.vmt": Sample.failed]) { folder in
      let terminal = try folder.terminal(["t", "--watch"])
      try terminal.read(until: "Waiting for changes")
      try terminal.write(key)
      #expect(try terminal.waitForExit() == .status(1))
    }
  }
}

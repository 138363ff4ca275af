import Foundation
import Glibc
import HostCore
import TestSupport
import Testing

/// `vmhost test --watch --build`: a build that copies one of two libraries.
struct TestBuildTests {
  private static let build = """
    cat source >/dev/null && cp "$(cat source)/shop.so" t/.new && mv t/.new t/shop.so
    """

  /// A folder with a source that says which library is built.
  private static func with<Result>(
    _ body: (TestFolder) async throws -> Result
  ) async throws -> Result {
    try await TestFolder.with(["t/shop.vmt": ShopPlugin.transcript, "source": "one"]) { folder in
      for (name, change) in [("one", ""), ("two", "OUTPUT_OTHER")] {
        try FileManager.default.createDirectory(
          atPath: folder.file(name), withIntermediateDirectories: true)
        try await ShopPlugin.compile(change, into: folder.file(name))
      }
      return try await body(folder)
    }
  }

  @Test func `builds at first and after each edit, and plays what it changes`() async throws {
    try await Self.with { folder in
      let watched = try WatchedTests.start(folder, ["--build", Self.build])
      try watched.expectRun(["---- all: 1 of 1 transcript ----", "1 passed in TIME"])
      try watched.write("two", to: "source")
      var lines = try watched.run()
      #expect(lines.first == "---- t/shop.so changed: 1 of 1 transcript ----")
      #expect(lines.last == "1 failed in TIME")
      // A build that fails: nothing is played, and the last results stay.
      try watched.write("three", to: "source")
      try watched.expectRun([])
      try watched.write("one", to: "source")
      lines = try watched.run()
      #expect(lines == ["---- t/shop.so changed: 1 of 1 transcript ----", "1 passed in TIME"])
      let output = try watched.end()
      #expect(output.status == .exited(0))
      let errors = output.stderr.replacing(/[0-9]+\.[0-9]{3}s/, with: "TIME")
      let building = "vmhost: building: \(Self.build)\n"
      let built = "\(building)vmhost: built in TIME\n"
      #expect(
        errors == """
          \(built)\(built)\(building)cp: cannot stat 'three/shop.so': No such file or directory
          vmhost: the build failed (exit status 1) after TIME
          \(built)
          """)
    }
  }

  @Test func `a first build that fails plays nothing, and ends with status 1`() async throws {
    try await Self.with { folder in
      let watched = try WatchedTests.start(
        folder, ["--build", "printf 'error: \\033[2Jbad'; exit 7"])
      try watched.expectRun([])
      let output = try watched.end()
      #expect(output.status == .exited(1))
      #expect(
        output.stderr.contains("error: \u{FFFD}[2Jbad\nvmhost: the build failed (exit status 7)"))
    }
  }

  @Test func `a build that changes sources itself does not go on for ever`() async throws {
    try await Self.with { folder in
      let command = "echo >> generated; \(Self.build)"
      let watched = try WatchedTests.start(folder, ["--build", command])
      try watched.child.waitForStderr(containing: "that starts no further build.")
      try watched.write("two", to: "source")
      // It goes on building what a person changes.
      var lines: [String] = []
      while lines.last != "1 failed in TIME" { lines = try watched.run() }
      let output = try watched.end()
      #expect(
        output.stderr.contains(
          "vmhost: --build: the build itself changes \"./generated\"; that starts no further"
            + " build.\n"
        ))
      #expect(output.status == .exited(1))
    }
  }

  @Test func `output that is redirected into the folder is no source`() async throws {
    try await Self.with { folder in
      let script = "exec \"$0\" test t --watch --build \"$1\" >out 2>err"
      let child = try ChildProcess(
        "/bin/sh", ["-c", script, BuildProducts.executable("vmhost"), Self.build],
        environment: VMHostRun.environment, workingDirectory: folder.path, input: .null)
      let watched = WatchedTests(folder: folder, child: child)
      // What a build has written to either file would start the next one.
      for (number, source) in ["one", "two", "one"].enumerated() {
        if number > 0 { try watched.write(source, to: "source") }
        try Self.wait(for: number + 1, "Waiting for changes\n", in: "out", folder)
      }
      #expect(try watched.end().status == .exited(0))
      let errors = try folder.text("err").replacing(/[0-9]+\.[0-9]{3}s/, with: "TIME")
      let built = "vmhost: building: \(Self.build)\nvmhost: built in TIME\n"
      #expect(errors == built + built + built)
    }
  }

  private static func wait(
    for count: Int, _ text: String, in name: String, _ folder: TestFolder
  ) throws {
    let end = SystemClock.monotonic() + 20_000_000_000
    while ((try? folder.text(name)) ?? "").ranges(of: text).count < count {
      try #require(SystemClock.monotonic() < end)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends a build with all that it has started`(_ signal: Int32) async throws {
    try await Self.with { folder in
      let watched = try WatchedTests.start(
        folder, ["--build", "sleep 1000 & echo $! > .process; wait"])
      try watched.child.waitForStderr(containing: "vmhost: building: ")
      let end = SystemClock.monotonic() + 20_000_000_000
      var process: Int32 = 0
      while process == 0 {
        process = Int32((try? folder.text(".process"))?.dropLast() ?? "") ?? 0
        try #require(SystemClock.monotonic() < end)
      }
      let output = try watched.end(signal)
      #expect(output.status == (signal == SIGINT ? .exited(4) : .signaled(signal)))
      #expect(kill(process, 0) != 0)
    }
  }
}

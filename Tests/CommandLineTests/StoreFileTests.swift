import Foundation
import TestSupport
import Testing

@testable import HostCore

/// The file of `--store`: who may use it at once, what is left of it, and what can't be one.
struct StoreFileTests {
  private static let effects = Arguments.kit("effects")

  /// Lines that set and get values under keys of their own, and what comes of them.
  private static func work(_ name: String, _ count: Int) -> (input: String, output: String) {
    var (input, output) = ("", "")
    for number in 0..<count {
      input += """
        > storageSet {"key":"\(name).\(number)","value":\(number)}
        > storageGet "\(name).\(number)"

        """
      output += "< result \"set\"\n< result \"\(number)\"\n"
    }
    return (input, output)
  }

  private static func names(in directory: TemporaryDirectory) throws -> [String] {
    try Files.names(in: directory.path).sorted()
  }

  private static func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  // MARK: Several processes

  /// With 2,000 values each, it takes a minute on a fast disk.
  @Test func `eight processes create, write and read one store at once`() async throws {
    try await TemporaryDirectory.with { directory in
      let (store, count) = (directory.file("s.db"), 50)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          let (input, output) = Self.work("p\(number)", count)
          group.addTask {
            try await VMHostRun.expect(
              Self.effects + ["--store", store], .text(input), stdout: output)
          }
        }
        try await group.waitForAll()
      }
      #expect(try Self.names(in: directory) == ["s.db"])
      let keys = try DatabaseStorage(path: store).keys(withPrefix: "", in: "kitfixture")
      #expect(keys.count == 8 * count)
    }
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func `one file holds everything, whichever process ends first`(_ order: [Int]) async throws {
    try await TemporaryDirectory.with { directory in
      let children = try (0..<3).map { number in
        let child = try VMHostRun.start(Self.effects + ["--store", directory.file("s.db")])
        try child.writeLine("> storageSet {\"key\":\"\(number)\",\"value\":\(number)}")
        #expect(try child.readLine() == "< result \"set\"")
        return child
      }
      for number in order {
        #expect(try children[number].wait().status == .success)
        #expect(try Self.names(in: directory) == ["s.db"])
      }
      try FileManager.default.moveItem(
        atPath: directory.file("s.db"), toPath: directory.file("moved.db"))
      try await VMHostRun.expect(
        Self.effects + ["--store", directory.file("moved.db")],
        .text("> storageList \"\"\n> storageGet \"1\"\n"),
        stdout: "< result \"0,1,2\"\n< result \"1\"\n")
    }
  }

  @Test func `one file holds everything when a process was killed`() async throws {
    try await TemporaryDirectory.with { directory in
      let child = try VMHostRun.start(Self.effects + ["--store", directory.file("s.db")])
      try child.writeLine("> storageSet {\"key\":\"a\",\"value\":1}")
      #expect(try child.readLine() == "< result \"set\"")
      child.kill(9)
      #expect(try child.wait(closingInput: false).status == .signaled(9))
      #expect(try Self.names(in: directory) == ["s.db"])
      try FileManager.default.copyItem(
        atPath: directory.file("s.db"), toPath: directory.file("copy.db"))
      try await VMHostRun.expect(
        Self.effects + ["--store", directory.file("copy.db")], .text("> storageGet \"a\"\n"),
        stdout: "< result \"1\"\n")
    }
  }

  // MARK: Modes

  @Test func `only its owner may read a new store`() async throws {
    try await TemporaryDirectory.with { directory in
      let store = directory.file("s.db")
      let (input, output) = Self.work("a", 1)
      let command = """
        umask 0; exec "$0" run kitfixture.so --view-model kit.effects --format text --clock \
        virtual --store "$1"
        """
      let result = try await ChildProcess.run(
        "/bin/sh", ["-c", command, try BuildProducts.executable("vmhost"), store],
        environment: VMHostRun.environment, input: .text(input))
      #expect(result.stdout == output)
      #expect(try Self.mode(of: store) == 0o600)
      // The mode of an existing file is its owner's business.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store)
      try await VMHostRun.expect(
        Self.effects + ["--store", store], .text(input), stdout: output)
      #expect(try Self.mode(of: store) == 0o644)
    }
  }

  // MARK: Files that can't be a store

  @Test(
    arguments: [
      ("notes.txt", "could not use the store \"notes.txt\": file is not a database."),
      ("none/s.db", "could not open the store \"none/s.db\": No such file or directory."),
      ("", "could not open the store \"\": No such file or directory."),
      ("folder", "could not open the store \"folder\": it is a folder. Name a file in it."),
      (
        "pipe",
        "could not open the store \"pipe\": it is a device or a pipe, and a store is a file."
      ),
      (
        "other.db", "could not open the store \"other.db\": it is a database of another program."
      ),
      ("cut.db", "could not use the store \"cut.db\": database disk image is malformed."),
      ("link.db", "could not open the store \"link.db\": No such file or directory."),
    ])
  func `refuses what can't be a store, and leaves it alone`(
    _ name: String, _ message: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("hello\n", to: "notes.txt")
      try directory.write("", to: "folder/file")
      let made = unsafe mkfifo(directory.file("pipe"), 0o600)
      try #require(made == 0)
      try directory.write("", to: "other.db")
      let other = try SQLiteDatabase(path: directory.file("other.db"), name: "other.db")
      try other.run("CREATE TABLE storage (plugin TEXT, key TEXT, value TEXT)")
      _ = try DatabaseStorage(path: directory.file("cut.db"))
      let cut = Array(try Files.read(directory.file("cut.db")).prefix(4096))
      try Data(cut).write(to: URL(fileURLWithPath: directory.file("cut.db")))
      try FileManager.default.createSymbolicLink(
        atPath: directory.file("link.db"), withDestinationPath: "missing")
      func contents() throws -> [String: [UInt8]] {
        let names = try Self.names(in: directory).filter { $0.contains(".") && $0 != "link.db" }
        return try Dictionary(
          uniqueKeysWithValues: names.map { ($0, try Files.read(directory.file($0))) })
      }
      let before = try contents()
      try await VMHostRun.expect(
        Arguments.echo + ["--store", name], .text("> say 1\n"), workingDirectory: directory.path,
        stderr: "vmhost: \(message)\n", status: 2)
      #expect(try contents() == before)
    }
  }

  @Test(
    arguments: [
      ("file", 0o400, "s.db", "it can't be written: Permission denied."),
      ("file", 0o000, "s.db", "it can't be written: Permission denied."),
      ("folder", 0o500, "s.db", "its folder can't be written: Permission denied."),
      ("folder", 0o500, "new.db", "Permission denied."),
    ])
  func `refuses what can't be written`(
    _ what: String, _ mode: Int, _ name: String, _ message: String
  ) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("", to: "folder/s.db")
      let protected = directory.file(what == "file" ? "folder/s.db" : "folder")
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: protected)
      defer {
        // Otherwise the folder could not be removed.
        _ = unsafe chmod(directory.file("folder"), 0o700)
      }
      // Root may write everything until it gives up that capability.
      let command =
        (geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : "")
        + "\"$0\" run echo.so --store folder/\(name)"
      let output = try await ChildProcess.run(
        "/bin/sh", ["-c", command, try BuildProducts.executable("vmhost")],
        environment: VMHostRun.environment, workingDirectory: directory.path)
      #expect(
        output.stderr == "vmhost: could not open the store \"folder/\(name)\": \(message)\n")
      #expect(output.status == .exited(2))
    }
  }

  // MARK: Stores that fail in a session

  @Test func `a full disk loses the value that doesn't fit, and nothing else`() async throws {
    try await TemporaryDirectory.with { directory in
      let large = String(repeating: "x", count: 300_000)
      let command = """
        ulimit -f 200 && exec "$0" run kitfixture.so --view-model kit.effects --in-process \
        --format text --clock virtual --store s.db
        """
      let output = try await ChildProcess.run(
        "/bin/sh", ["-c", command, try BuildProducts.executable("vmhost")],
        environment: VMHostRun.environment, workingDirectory: directory.path,
        input: .text(
          """
          > storageSet {"key":"a","value":1}
          > storageSet {"key":"a","value":"\(large)"}
          > storageGet "a"
          > storageSet {"key":"b","value":2}
          > storageList ""

          """))
      let message = #"could not use the store \"s.db\": disk I/O error."#
      #expect(
        output.stdout == """
          < result "set"
          # error from effects: "\(message)"
          < failed {"code":"storage-failed","message":"\(message)"}
          < result "1"
          < result "set"
          < result "a,b"

          """)
      #expect(output.stderr == "")
      #expect(output.status == .success)
      #expect(try Self.names(in: directory) == ["s.db"])
      #expect(
        try DatabaseStorage(path: directory.file("s.db")).value(of: "a", in: "kitfixture")
          == Array("1".utf8))
    }
  }

  @Test func `a damaged store fails where it is damaged`() async throws {
    try await TemporaryDirectory.with { directory in
      let store = directory.file("s.db")
      _ = try await VMHostRun.output(
        Self.effects + ["--store", "s.db"], workingDirectory: directory.path)
      var bytes = try Files.read(store)
      // The table of values is in the second page.
      bytes.replaceSubrange(4096..<8192, with: repeatElement(0xff, count: 4096))
      try Data(bytes).write(to: URL(fileURLWithPath: store))
      let message = #"could not use the store \"s.db\": database disk image is malformed."#
      try await VMHostRun.expect(
        Self.effects + ["--store", "s.db"],
        .text("> storageGet \"a\"\n> ping\n! 1\n"), workingDirectory: directory.path,
        stdout: """
          # error from effects: "\(message)"
          < failed {
              "code": "storage-failed",
              "message": "\(message)"
            }
          ? 1 ping
          < result "pong"

          """)
      #expect(try Files.read(store) == bytes)
    }
  }
}

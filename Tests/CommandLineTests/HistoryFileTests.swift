import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

struct HistoryFileTests {
  private static func open(_ path: String, _ secrets: Secrets = Secrets()) throws -> HistoryFile {
    try HistoryFile(path: path, secrets: secrets)
  }

  private static func permissions(_ path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test(
    arguments: [
      (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/vmhost/history"),
      (["HOME": "/h"], "/h/.local/state/vmhost/history"),
      (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/vmhost/history"),
      (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/vmhost/history"),
      (["HOME": "h"], nil), (["HOME": ""], nil), ([:], nil),
    ] as [([String: String], String?)])
  func `is in the folder for state`(_ variables: [String: String], _ path: String?) {
    #expect(HistoryFile.path { variables[$0] } == path)
  }

  @Test func `keeps lines for the next session, for its owner alone`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.file("state/vmhost/history")
      let first = try Self.open(path)
      #expect(first.lines == [])
      for line in ["one", "größe 漢", "größe 漢", "", " hidden", "\thidden", "one"] {
        first.add(line)
      }
      #expect(try Self.open(path).lines == ["one", "größe 漢", "one"])
      #expect(try Self.permissions(path) == 0o600)
      #expect(try Self.permissions(directory.file("state/vmhost")) == 0o700)
      #expect(try Self.permissions(directory.file("state")) == 0o700)
    }
  }

  @Test func `keeps no line with a secret`() async throws {
    try await TemporaryDirectory.with { directory in
      var secrets = Secrets()
      secrets.add("k", value: "p\"ss word")
      let history = try Self.open(directory.file("history"), secrets)
      for line in [
        "before", "login \"p\\\"ss word\"", "p\"ss word", "x p%22ss%20word", "cCJzcyB3b3Jk",
        "after",
      ] { history.add(line) }
      #expect(try Self.open(directory.file("history")).lines == ["before", "after"])
    }
  }

  @Test func `two sessions at once lose nothing, not even where one would cut the file`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let old = (0..<HistoryFile.maxLines).map { "old \($0)\n" }.joined()
      let path = try directory.write(old, to: "history")
      let first = try Self.open(path)
      let second = try Self.open(path)
      for number in 0..<10 {
        first.add("first \(number)")
        second.add("second \(number)")
      }
      let third = try Self.open(path)
      let expected = (0..<10).flatMap { ["first \($0)", "second \($0)"] }
      #expect(Array(third.lines.suffix(20)) == expected)
      #expect(
        try String(contentsOfFile: path, encoding: .utf8)
          == old + expected.map { "\($0)\n" }.joined())
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test func `is cut to its newest lines and bytes by a session that has it alone`() async throws {
    try await TemporaryDirectory.with { directory in
      let many = try directory.write((0..<5000).map { "line \($0)\n" }.joined(), to: "many")
      #expect(try Self.open(many).lines == (4000..<5000).map { "line \($0)" })
      #expect(
        try String(contentsOfFile: many, encoding: .utf8)
          == (4000..<5000).map { "line \($0)\n" }.joined())
      let long = String(repeating: "x", count: 1000)
      let large = try directory.write(
        (0..<5000).map { "\($0) \(long)\n" }.joined(), to: "large")
      let kept = try Self.open(large).lines
      #expect(kept.last == "4999 \(long)")
      #expect(kept.count > 200 && kept.count < 300)
      #expect(try Files.size(of: large) <= HistoryFile.maxBytes)
      // In one session, too, there is an end.
      let session = try Self.open(directory.file("session"))
      for number in 0..<1000 { session.add("\(number) \(long)") }
      session.add(String(repeating: "y", count: HistoryFile.maxLineBytes + 1))
      #expect(try Files.size(of: directory.file("session")) <= HistoryFile.maxBytes)
    }
  }

  @Test func `a damaged file loses only what is damaged`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.file("history")
      let parts: [[UInt8]] = [
        Array("good\n".utf8), [0xFF, 0xFE, 0x0A, 0x00, 0x0A], Array("\u{1b}[2Jevil\n".utf8),
        [UInt8](repeating: 0x61, count: 100_000) + [0x0A], Array(" blank\n\n\nbetter\ntor".utf8),
      ]
      try Data(parts.flatMap { $0 }).write(to: URL(fileURLWithPath: path))
      let history = try Self.open(path)
      #expect(history.lines == ["good", "better", "tor"])
      history.add("next")
      #expect(try Self.open(path).lines == ["good", "better", "tor", "next"])
    }
  }

  @Test func `a huge file is not read as a whole`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = try directory.write("\n", to: "history")
      // A hole takes no room on the disk.
      try FileDescriptor.openForAppending(path).truncate(to: 1 << 40)
      try FileDescriptor.openForAppending(path).write(Array("\nlast\n".utf8).span)
      #expect(try Self.open(path).lines == ["last"])
      #expect(try Files.size(of: path) == 5)
    }
  }

  @Test(arguments: ["folder", "/dev/null/history", "/proc/history/x"])
  func `a file that can't be is an error, and no history`(_ name: String) async throws {
    try await TemporaryDirectory.with { directory in
      try directory.write("", to: "folder/x")
      let path = name.hasPrefix("/") ? name : directory.file(name)
      #expect(throws: SystemError.self) { try Self.open(path) }
    }
  }

  @Test func `a link to nowhere in particular keeps nothing`() throws {
    let history = try Self.open("/dev/null")
    history.add("gone")
    #expect(history.lines == [])
  }
}

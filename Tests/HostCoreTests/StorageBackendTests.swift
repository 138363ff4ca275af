import Basics
import Foundation
import TestSupport
import Testing

@testable import HostCore

/// Both kinds of storage behave the same; the one in a file outlives its session.
struct StorageBackendTests {
  enum Kind: CaseIterable { case memory, database }

  private static func with(
    _ kind: Kind, _ body: (any StorageBackend) throws -> Void
  ) async throws {
    switch kind {
    case .memory: try body(MemoryStorage())
    case .database:
      try await TemporaryDirectory.with { folder in
        try body(try DatabaseStorage(path: folder.file("store.sqlite")))
      }
    }
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(arguments: Kind.allCases)
  func `keeps what was set last`(_ kind: Kind) async throws {
    try await Self.with(kind) { storage in
      #expect(try storage.value(of: "a", in: "p") == nil)
      try storage.set("a", to: Self.bytes("1"), in: "p")
      try storage.set("a", to: Self.bytes("[2]"), in: "p")
      #expect(try storage.value(of: "a", in: "p") == Self.bytes("[2]"))
      try storage.delete("a", in: "p")
      #expect(try storage.value(of: "a", in: "p") == nil)
      try storage.delete("a", in: "p")
      #expect(try storage.keys(withPrefix: "", in: "p") == [])
    }
  }

  @Test(arguments: Kind.allCases)
  func `counts keys, values and a hundred bytes more for each`(_ kind: Kind) async throws {
    try await Self.with(kind) { storage in
      #expect(try storage.size(of: "p") == 0)
      try storage.set("größe", to: Self.bytes("\"日本\""), in: "p")
      try storage.set("a", to: Self.bytes("1"), in: "q")
      #expect(try storage.size(of: "größe", in: "p") == 7 + 8 + 100)
      #expect(try storage.size(of: "a", in: "p") == 0)
      #expect(try storage.size(of: "p") == 115)
      try storage.set("größe", to: Self.bytes("1"), in: "p")
      try storage.set("b", to: Self.bytes("12"), in: "p")
      #expect(try storage.size(of: "p") == 108 + 103)
      try storage.delete("größe", in: "p")
      try storage.delete("größe", in: "p")
      #expect(try storage.size(of: "p") == 103)
    }
  }

  @Test(arguments: Kind.allCases)
  func `refuses what is over a quota, and nothing that makes it smaller`(
    _ kind: Kind
  ) async throws {
    try await Self.with(kind) { storage in
      func set(_ key: String, _ value: String, quota: Int) throws {
        try storage.set(key, to: Self.bytes(value), in: "p", quota: quota)
      }
      try set("a", "111", quota: 104)
      for (key, value) in [("a", "1111"), ("b", "1")] {
        let error = #expect(throws: StorageError.self) { try set(key, value, quota: 104) }
        #expect(error?.code == .full)
      }
      #expect(try storage.value(of: "a", in: "p") == Self.bytes("111"))
      // The quota of another plugin is its own.
      try storage.set("a", to: Self.bytes("111"), in: "q", quota: 104)
      try set("a", "222", quota: 1)
      try set("a", "2", quota: 1)
      #expect(throws: StorageError.self) { try set("a", "22", quota: 1) }
      try set("b", "1", quota: 204)
      #expect(try storage.size(of: "p") == 204)
    }
  }

  @Test func `counts what another process has written`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("store.sqlite")
      let (one, other) = (try DatabaseStorage(path: path), try DatabaseStorage(path: path))
      try one.set("a", to: Self.bytes("1"), in: "p")
      #expect(try one.size(of: "p") == 102)
      try other.set("b", to: Self.bytes("12"), in: "p")
      #expect(try one.size(of: "p") == 205)
      try one.set("c", to: Self.bytes("123"), in: "p")
      #expect(try other.size(of: "p") == 309)
      #expect(try one.size(of: "p") == 309)
    }
  }

  @Test(arguments: Kind.allCases)
  func `keeps plugins apart`(_ kind: Kind) async throws {
    try await Self.with(kind) { storage in
      try storage.set("a", to: Self.bytes("1"), in: "p")
      #expect(try storage.value(of: "a", in: "q") == nil)
      try storage.delete("a", in: "q")
      #expect(try storage.keys(withPrefix: "", in: "q") == [])
      #expect(try storage.keys(withPrefix: "", in: "p") == ["a"])
    }
  }

  @Test(
    arguments: Kind.allCases,
    [
      "", "a", "a\0b", "\0", "größe", "日本", "%", "_", "'", "\"; DROP TABLE storage; --", "A", "a ",
      "\u{10ffff}", "line\nbreak",
    ])
  func `takes any key for itself`(_ kind: Kind, _ key: String) async throws {
    try await Self.with(kind) { storage in
      try storage.set(key, to: Self.bytes("1"), in: "p")
      try storage.set(key + "x", to: Self.bytes("2"), in: "p")
      #expect(try storage.value(of: key, in: "p") == Self.bytes("1"))
      #expect(try storage.value(of: key + "y", in: "p") == nil)
      #expect(try storage.keys(withPrefix: key, in: "p") == [key, key + "x"])
      try storage.delete(key, in: "p")
      #expect(try storage.keys(withPrefix: "", in: "p") == [key + "x"])
    }
  }

  @Test(
    arguments: [
      ("", ["A", "a", "a%b", "a\0", "a_b", "aXb", "b", "é", "日"]),
      ("a", ["a", "a%b", "a\0", "a_b", "aXb"]),
      ("a%", ["a%b"]), ("a_", ["a_b"]), ("a\0", ["a\0"]), ("A", ["A"]), ("é", ["é"]), ("z", []),
      ("日", ["日"]), ("aXbc", []),
    ])
  func `lists keys by prefix, in the order of their bytes`(
    _ prefix: String, _ expected: [String]
  ) async throws {
    for kind in Kind.allCases {
      try await Self.with(kind) { storage in
        for key in ["b", "a_b", "日", "a", "A", "a%b", "aXb", "é", "a\0"] {
          try storage.set(key, to: Self.bytes("1"), in: "p")
        }
        let sorted = expected.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try storage.keys(withPrefix: prefix, in: "p") == sorted)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `takes large values`(_ kind: Kind) async throws {
    try await Self.with(kind) { storage in
      let large = [UInt8](repeating: 0x31, count: 10 << 20)
      try storage.set("large", to: Self.bytes("\"\(String(repairing: large.span))\""), in: "p")
      #expect(try storage.value(of: "large", in: "p")?.count == large.count + 2)
    }
  }

  // MARK: A database

  @Test func `a store is there again when it is opened again`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("store.sqlite")
      for round in 0..<3 {
        let storage = try DatabaseStorage(path: path)
        let last = round == 0 ? nil : Self.bytes("\(round - 1)")
        #expect(try storage.value(of: "a", in: "p") == last)
        try storage.set("a", to: Self.bytes("\(round)"), in: "p")
      }
    }
  }

  @Test func `two sessions can use one store at once`() async throws {
    try await TemporaryDirectory.with { folder in
      let first = try DatabaseStorage(path: folder.file("store.sqlite"))
      let second = try DatabaseStorage(path: folder.file("store.sqlite"))
      for number in 0..<50 {
        try first.set("a", to: Self.bytes("\(number)"), in: "p")
        #expect(try second.value(of: "a", in: "p") == Self.bytes("\(number)"))
        try second.set("b\(number)", to: Self.bytes("1"), in: "p")
      }
      #expect(try first.keys(withPrefix: "b", in: "p").count == 50)
    }
  }

  @Test func `many sessions can create one store at once`() async throws {
    for _ in 0..<20 {
      try await TemporaryDirectory.with { folder in
        let path = folder.file("store.sqlite")
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<8 {
            group.addTask {
              try DatabaseStorage(path: path).set("\(number)", to: [0x31], in: "p")
            }
          }
          try await group.waitForAll()
        }
        #expect(try DatabaseStorage(path: path).keys(withPrefix: "", in: "p").count == 8)
      }
    }
  }

  @Test func `an empty file becomes a store, and keeps its mode`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write("", to: "store.sqlite")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      try DatabaseStorage(path: path).set("a", to: Self.bytes("1"), in: "p")
      #expect(try DatabaseStorage(path: path).value(of: "a", in: "p") == Self.bytes("1"))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o640)
    }
  }

  @Test func `a locked store is refused in words, once patience ends`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("store.sqlite")
      _ = try DatabaseStorage(path: path)
      let other = try SQLiteDatabase(path: path, name: path)
      try other.run("BEGIN EXCLUSIVE")
      #expect(
        words { _ = try DatabaseStorage(path: path, patience: 1_000_000) }
          == "could not use the store \"\(path)\": database is locked.")
      try other.run("COMMIT")
      _ = try DatabaseStorage(path: path, patience: 0)
    }
  }

  @Test func `a store of a later format is refused and left alone`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("store.sqlite")
      _ = try DatabaseStorage(path: path)
      // The version lies at byte 60 of the file (sqlite.org/fileformat2.html).
      var bytes = try Files.read(path)
      bytes[63] = 2
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(
        words { _ = try DatabaseStorage(path: path) }
          == "the store \"\(path)\" was written by a newer vmhost (format 2, this one knows 1).")
      #expect(try Files.read(path)[63] == 2)
    }
  }
}

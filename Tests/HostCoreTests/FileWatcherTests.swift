import Foundation
import Glibc
import TestSupport
import Testing

@testable import HostCore

/// Real files that change in the ways of editors, linkers and build tools.
struct FileWatcherTests {
  private static let tree: @Sendable (String, Bool) -> Bool = { name, isFolder in
    !name.hasPrefix(".") && (isFolder || name.hasSuffix(".txt"))
  }

  struct Way: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let act: @Sendable (WatchedFolder) throws -> Void

    init(_ name: String, _ act: @escaping @Sendable (WatchedFolder) throws -> Void) {
      testDescription = name
      self.act = act
    }
  }

  static let ways = [
    Way("written in place") { try $0.write("two", to: "a.txt") },
    Way("replaced by a rename") {
      try $0.write("two", to: "new")
      try TestFile.replace($0.file("a.txt"), with: $0.file("new"))
    },
    Way("removed and written anew") {
      try $0.remove("a.txt")
      try $0.write("two", to: "a.txt")
    },
    Way("renamed away and written anew") {
      try $0.move("a.txt", to: "a.txt~")
      try $0.write("two", to: "a.txt")
    },
    Way("emptied, then written") {
      try $0.write("", to: "a.txt")
      try $0.write("two", to: "a.txt")
    },
    Way("replaced by a link") {
      try $0.write("two", to: "elsewhere/b")
      try $0.remove("a.txt")
      try $0.link("a.txt", to: "elsewhere/b")
    },
    Way("replaced by another name of a file") {
      try $0.write("two", to: "elsewhere/b")
      try $0.remove("a.txt")
      try #require(unsafe Glibc.link($0.file("elsewhere/b"), $0.file("a.txt")) == 0)
    },
    Way("its folder removed and made anew") {
      try $0.move("", to: "../\(UUID())")
      try $0.write("two", to: "a.txt")
    },
  ]

  @Test(arguments: [true, false], ways)
  func `a file has one change however it is written`(notices: Bool, way: Way) async throws {
    try await WatchedFolder.with(usesNotices: notices) { outer in
      try outer.write("one", to: "in/a.txt")
      let folder = outer.inner("in")
      folder.watcher.watch(files: [folder.file("a.txt")])
      try way.act(folder)
      #expect(try folder.changes() == ["a.txt"])
      // Its new place is watched, too.
      try folder.write("three", to: "a.txt")
      #expect(try folder.changes() == ["a.txt"])
    }
  }

  @Test(arguments: [true, false])
  func `behind links in a path, a change of any part is one`(notices: Bool) async throws {
    try await WatchedFolder.with(usesNotices: notices) { folder in
      try folder.write("one", to: "x/debug/a.txt")
      try folder.write("another", to: "y/debug/a.txt")
      try folder.link("build", to: "x")
      try folder.link("last", to: "build/debug/a.txt")
      folder.watcher.watch(files: [folder.file("last")])
      try folder.write("two", to: "x/debug/a.txt")
      #expect(try folder.changes() == ["last"])
      try folder.link("next", to: "y")
      try folder.move("next", to: "build")
      #expect(try folder.changes() == ["last"])
      try folder.write("three", to: "y/debug/a.txt")
      #expect(try folder.changes() == ["last"])
      // A clean build.
      try folder.remove("y")
      #expect(try folder.changes() == ["last removed"])
      try folder.write("four", to: "y/debug/a.txt")
      #expect(try folder.changes() == ["last"])
    }
  }

  @Test(arguments: [true, false])
  func `tells of new and removed files of a tree, and of no others`(notices: Bool) async throws {
    try await WatchedFolder.with(usesNotices: notices) { folder in
      try folder.write("1", to: "t/a.txt")
      try folder.write("1", to: "t/.hidden/a.txt")
      folder.watcher.watch(trees: [FileWatcher.Tree(folder.file("t/"), takes: Self.tree)])
      try folder.write("1", to: "t/.hidden/b.txt")
      try folder.write("1", to: "t/b.o")
      try folder.write("1", to: "t/deep/er/b.txt")
      #expect(try folder.changes() == ["t/deep/er/b.txt"])
      try folder.write("22", to: "t/deep/er/b.txt")
      try folder.write("2", to: "t/c.txt")
      #expect(try folder.changes(atLeast: 2).sorted() == ["t/c.txt", "t/deep/er/b.txt"])
      try folder.remove("t/deep")
      #expect(try folder.changes() == ["t/deep/er/b.txt removed"])
      try folder.remove("t")
      #expect(try folder.changes(atLeast: 2) == ["t/a.txt removed", "t/c.txt removed"])
      try folder.write("3", to: "t/d.txt")
      #expect(try folder.changes() == ["t/d.txt"])
    }
  }

  @Test(arguments: [true, false])
  func `a library that is written in pieces is told once it is whole`(notices: Bool) async throws {
    try await WatchedFolder.with(usesNotices: notices) { folder in
      let library = try Files.read(try BuildProducts.library("echo"))
      let path = folder.file("echo.so")
      try TestFile.write(library, to: path)
      folder.watcher.watch(libraries: [path])
      #expect(folder.watcher.take() == [])
      try folder.remove("echo.so")
      let cuts = [0, 3, 64, library.count / 2, library.count - 1, library.count]
      for (start, end) in zip(cuts, cuts.dropFirst()) {
        let file = try FileDescriptor.openForAppending(path)
        try file.write(library[start..<end].span)
        if end < library.count { #expect(folder.watcher.take() == []) }
      }
      #expect(try folder.changes() == ["echo.so"])
    }
  }

  @Test func `a library that stays half written is told in the end`() async throws {
    var timing = FileWatcher.Timing()
    timing.finishing = 200_000_000
    try await WatchedFolder.with(timing: timing) { folder in
      let library = try Files.read(try BuildProducts.library("echo"))
      let path = folder.file("echo.so")
      folder.watcher.watch(libraries: [path])
      try TestFile.write(library.dropLast(), to: path)
      #expect(try folder.changes() == ["echo.so unfinished"])
      try TestFile.write(library, to: path)
      #expect(try folder.changes() == ["echo.so"])
    }
  }

  @Test func `a closed file is told without waiting`() async throws {
    var timing = FileWatcher.Timing()
    timing.settling = 3_600_000_000_000
    try await WatchedFolder.with(timing: timing) { folder in
      let path = folder.file("echo.so")
      let library = try Files.read(try BuildProducts.library("echo"))
      folder.watcher.watch(libraries: [path])
      try TestFile.write(library, to: path)
      #expect(try folder.changes() == ["echo.so"])
    }
  }

  @Test func `what is only touched or looked at is no change`() async throws {
    try await WatchedFolder.with { folder in
      try folder.write("one", to: "a.txt")
      folder.watcher.watch(files: [folder.file("a.txt")])
      try #require(unsafe chmod(folder.file("a.txt"), 0o600) == 0)
      _ = try Files.read(folder.file("a.txt"))
      try folder.write("one", to: "b.txt")
      try folder.write("two", to: "a.txt")
      #expect(try folder.changes() == ["a.txt"])
    }
  }

  @Test func `lost notices lose no change`() async throws {
    try await WatchedFolder.with { folder in
      for index in 0..<3 { try folder.write("one", to: "t/\(index).txt") }
      folder.watcher.watch(trees: [FileWatcher.Tree(folder.file("t"), takes: Self.tree)])
      // From now on, only notices make it look.
      #expect(folder.watcher.take() == [])
      let limit = try Files.read("/proc/sys/fs/inotify/max_queued_events")
      let count = try #require(
        Int(String(decoding: limit, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
      // Of equal notices in a row, the kernel keeps one.
      for index in 0...count { try folder.write("", to: "t/\(index % 2).o") }
      try folder.write("two", to: "t/2.txt")
      #expect(try folder.changes() == ["t/2.txt"])
    }
  }

  @Test func `many changes take no more descriptors`() async throws {
    var timing = FileWatcher.Timing()
    (timing.settling, timing.gathering) = (10_000_000, 0)
    try await WatchedFolder.with(timing: timing) { folder in
      try folder.write("0", to: "t/in/a.txt")
      try folder.write("0", to: "b/b.txt")
      folder.watcher.watch(
        files: [folder.file("b/b.txt")],
        trees: [FileWatcher.Tree(folder.file("t"), takes: Self.tree)])
      var watched: [Int] = []
      for index in 1...200 {
        try folder.remove("t/in")
        try folder.remove("b")
        try folder.write("\(index)", to: "b/b.txt")
        try folder.write("\(index)", to: "t/in/a.txt")
        let told = try folder.changes(atLeast: 2)
        #expect(told.sorted() == ["b/b.txt", "t/in/a.txt"])
        watched.append(try folder.watchedFolders())
      }
      #expect(Set(watched).count == 1)
    }
  }

  @Test(arguments: [
    (0x6969, "NFS"), (0xff53_4d42, "SMB"), (0xfe53_4d42, "SMB"), (0x0102_1997, "9P"),
    (0x6573_5546, "FUSE"), (0xef53, nil), (0x0102_1994, nil), (0x9123_683e, nil),
    (0x794c_7630, nil),
  ])
  func `knows file systems that others may change unnoticed`(_ type: Int64, _ name: String?) {
    #expect(RemoteFileSystem.names[type] == name)
  }

  @Test func `knows the file system of a path`() {
    #expect(RemoteFileSystem.type(of: "/proc/self") == 0x9fa0)
    #expect(RemoteFileSystem.type(of: "/nowhere") == -1)
    #expect(RemoteFileSystem.name(of: "/proc/self") == nil)
  }
}

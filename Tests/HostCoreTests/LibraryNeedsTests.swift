import Foundation
import TestSupport
import Testing

@testable import HostCore

/// Libraries that a plugin needs besides those of the system.
@Suite struct LibraryNeedsTests {
  /// `echo.so`, changed so that it needs `name` in the place of Swift's library, of which it uses
  /// nothing.
  static func echo(needing name: String) throws -> Data {
    precondition(name.utf8.count == "libswiftCore.so".utf8.count)
    var bytes = try Files.read(try BuildProducts.library("echo"))
    for range in bytes.ranges(of: Array("libswiftCore.so".utf8)).reversed() {
      bytes.replaceSubrange(range, with: Array(name.utf8))
    }
    return Data(bytes)
  }

  private static func write(_ data: Data, to path: String) throws {
    try data.write(to: URL(fileURLWithPath: path))
  }

  private static func withLibraries(
    _ body: (_ folder: TemporaryDirectory) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { folder in
      try Self.write(try Self.echo(needing: "libswiftCorx.so"), to: folder.file("echo.so"))
      try Self.write(try Self.echo(needing: "libswiftCory.so"), to: folder.file("libswiftCorx.so"))
      try Self.write(
        try Data(contentsOf: URL(fileURLWithPath: BuildProducts.library("echo"))),
        to: folder.file("libswiftCory.so"))
      try await body(folder)
    }
  }

  @Test func `finds what lies beside a library, and beside that`() async throws {
    try await Self.withLibraries { folder in
      let path = try Files.absolute(folder.path)
      let needs = LibraryNeeds(of: path + "/echo.so", isReadable: { $0 != path })
      #expect(needs.files == [path + "/libswiftCorx.so", path + "/libswiftCory.so"])
      #expect(needs.dependOnPath)
    }
  }

  @Test func `finds what the plugin's own search path names`() throws {
    let path = try Files.absolute(try BuildProducts.library("echo"))
    let needs = LibraryNeeds(of: path)
    #expect(needs.files.contains { $0.hasSuffix("/libswiftCore.so") })
    #expect(!needs.dependOnPath)
    #expect(LibraryNeeds(of: path, isReadable: { _ in true }).files.isEmpty)
  }

  @Test func `what an installed Swift runtime has is taken from there`() async throws {
    try await Self.withLibraries { folder in
      let runtime = folder.file("runtime")
      try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: false)
      try FileManager.default.copyItem(
        atPath: folder.file("libswiftCory.so"), toPath: runtime + "/libswiftCory.so")
      let path = try Files.absolute(folder.path)
      let needs = LibraryNeeds(
        of: path + "/echo.so", swiftRuntime: runtime, isReadable: { $0 != path })
      #expect(needs.files == [path + "/libswiftCorx.so"])
      #expect(needs.ofSwift == ["libswiftCory.so"])
    }
  }

  @Test func `the folders of the user's search path come first`() async throws {
    try await Self.withLibraries { folder in
      try await TemporaryDirectory.with { other in
        let own = try Files.absolute(folder.path)
        let path = try Files.absolute(other.path)
        try Self.write(try Self.echo(needing: "libswiftCore.so"), to: path + "/libswiftCorx.so")
        let needs = LibraryNeeds(
          of: own + "/echo.so", searchPath: [path], isReadable: { $0 != own && $0 != path })
        #expect(needs.files == [path + "/libswiftCorx.so"])
      }
    }
  }

  @Test func `an exact search follows the system's libraries into the user's folders`()
    async throws
  {
    try await Self.withLibraries { folder in
      try await TemporaryDirectory.with { other in
        let own = try Files.absolute(folder.path)
        let path = try Files.absolute(other.path)
        try Self.write(
          try Data(contentsOf: URL(fileURLWithPath: BuildProducts.library("echo"))),
          to: path + "/libswiftCory.so")
        for isExact in [true, false] {
          let needs = LibraryNeeds(
            of: own + "/echo.so", searchPath: [path], isExact: isExact, isReadable: { $0 != path })
          #expect(needs.files == (isExact ? [path + "/libswiftCory.so"] : []))
          #expect(needs.doubt == nil)
        }
      }
    }
  }

  @Test func `a link to a library has its own folder as the origin`() async throws {
    try await Self.withLibraries { folder in
      try await TemporaryDirectory.with { other in
        let own = try Files.absolute(folder.path)
        let path = try Files.absolute(other.path)
        try FileManager.default.moveItem(
          atPath: own + "/libswiftCorx.so", toPath: path + "/x.so")
        try FileManager.default.createSymbolicLink(
          atPath: own + "/libswiftCorx.so", withDestinationPath: path + "/x.so")
        let needs = LibraryNeeds(of: own + "/echo.so", isReadable: { $0 != own && $0 != path })
        #expect(needs.files == [path + "/x.so", own + "/libswiftCory.so"])
      }
    }
  }

  /// `top` needs `a` and `b`, both need `c`, which needs `d`. `a` has the newer search path, which
  /// isn't passed on, and passes on that of `top`; `b` passes on its own, but comes later.
  @Test func `an older search path is passed on by the first that needs a library`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try Files.absolute(folder.path)
      try FileManager.default.createDirectory(
        atPath: path + "/evil", withIntermediateDirectories: true)
      let source = try folder.write("int one(void);\nint one(void) { return 1; }\n", to: "one.c")
      let old = "-Wl,--disable-new-dtags,-rpath,"
      for (name, arguments) in [
        ("evil/d", []), ("d", []), ("c", ["./d.so"]),
        ("a", ["./c.so", "-Wl,--enable-new-dtags,-rpath," + path]),
        ("b", ["./c.so", old + path + "/evil"]), ("top", ["./a.so", "./b.so", old + path]),
      ] {
        let file = String(name.split(separator: "/").last ?? "")
        try await Compiler.c.run(
          ["-shared", "-fPIC", "-Wl,--no-as-needed,-soname,\(file).so", source, "-o"]
            + ["\(path)/\(name).so"] + arguments.map { $0.replacing("./", with: path + "/") })
      }
      let needs = LibraryNeeds(of: path + "/top.so", isReadable: { !$0.hasPrefix(path) })
      #expect(needs.files == ["a", "b", "c", "d"].map { "\(path)/\($0).so" })
    }
  }

  @Test func `a file that is no library is not given to the plugin`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try Files.absolute(folder.path)
      try Self.write(try Self.echo(needing: "libswiftCorx.so"), to: path + "/echo.so")
      for content in [Data("a key".utf8), try Self.echo(needing: "libswiftCory.so").prefix(5000)] {
        try Self.write(content, to: path + "/libswiftCorx.so")
        #expect(LibraryNeeds(of: path + "/echo.so", isReadable: { $0 != path }).files == [])
      }
    }
  }

  @Test func `a folder is judged by where it is, not by how it is written`() async throws {
    try await Self.withLibraries { folder in
      let path = try Files.absolute(folder.path)
      var asked: Set<String> = []
      _ = LibraryNeeds(of: path + "/echo.so", searchPath: ["/usr/lib/../.." + path]) {
        asked.insert($0)
        return true
      }
      #expect(asked.contains(path))
      #expect(!asked.contains { $0.contains("..") })
    }
  }

  @Test func `a library of more than a gigabyte is not copied`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("huge.so")
      try Self.write(try Self.echo(needing: "libswiftCore.so"), to: path)
      let size = 3 << 30
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      try file.truncate(atOffset: UInt64(size))
      try file.close()
      let sandbox = Sandbox(worker: try BuildProducts.executable("vmhost"))
      let failure = #expect(throws: PluginLoadError.self) {
        try RemotePlugin(path: path, name: "huge.so", sandbox: sandbox)
      }
      #expect(
        failure?.description == "Could not load \"huge.so\": it has \(size) bytes; a library has"
          + " at most 1073741824.")
    }
  }

  @Test(arguments: ["", "x", "a/b", "/etc/passwd", "/dev/null", "/"])
  func `what is no library needs nothing`(_ path: String) {
    #expect(LibraryNeeds(of: path) == LibraryNeeds(of: "/nonexistent"))
  }

  @Test func `damaged libraries do no harm`() async throws {
    let good = try Files.read(try BuildProducts.library("echo"))
    let random = Data(good)
    try await TemporaryDirectory.with { folder in
      let path = try Files.absolute(folder.path) + "/damaged.so"
      // Each byte of the headers in turn, then the file cut at many places.
      for offset in stride(from: 0, to: 1024, by: 3) {
        var bytes = random
        bytes[offset] = offset.isMultiple(of: 2) ? 0xff : bytes[offset] ^ 0x10
        try Self.write(bytes, to: path)
        #expect(LibraryNeeds(of: path).files.count < 100)
      }
      for part in 0..<50 {
        try Self.write(random.prefix(random.count * part / 50), to: path)
        #expect(LibraryNeeds(of: path).files.count < 100)
      }
    }
  }

  /// 65,535 program headers, all of which name a dynamic section of a megabyte.
  @Test func `a library with as many program headers as there can be is read`() async throws {
    var bytes = try Files.read(try BuildProducts.library("echo"))
    let end = bytes.count
    for index in 0..<8 { bytes[32 + index] = UInt8(truncatingIfNeeded: end >> (8 * index)) }
    bytes.replaceSubrange(56..<58, with: [0xff, 0xff])
    var header: [UInt8] = Array(repeating: 0, count: 56)
    header[0] = 2
    header[34] = 0x10
    for _ in 0..<65_535 { bytes += header }
    try await TemporaryDirectory.with { folder in
      let path = try Files.absolute(folder.path) + "/wide.so"
      try Self.write(Data(bytes), to: path)
      #expect(LibraryNeeds(of: path) == LibraryNeeds(of: "/nonexistent"))
    }
  }

  /// A dynamic section of a million entries, each the name of a library that there isn't.
  @Test func `a library that needs a million others costs the host little`() async throws {
    var bytes = try Files.read(try BuildProducts.library("echo"))
    let good = ELFBytes(bytes)
    let table = Int(good.number(32, 8))
    let segments = (0..<Int(good.number(56, 2))).map { table + $0 * ELFHeader.segmentSize }
    let segment = try #require(
      segments.first { good.number($0, 4) == ELFHeader.Segment.dynamic })
    let old = Int(good.number(segment + 8, 8))
    let size = Int(good.number(segment + 32, 8))
    let count = 1_000_000
    Self.set(segment + 8, bytes.count, in: &bytes)
    Self.set(segment + 32, size + count * 16, in: &bytes)
    for _ in 0..<1000 { bytes += [1, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 0, 0, 0, 0, 0, 0] }
    bytes += bytes[old..<old + size]
    let needed: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    bytes += (0..<count - 1000).flatMap { _ in needed }
    try await TemporaryDirectory.with { folder in
      let path = try Files.absolute(folder.path) + "/needy.so"
      try Self.write(Data(bytes), to: path)
      let needs = LibraryNeeds(of: path, searchPath: Array(repeating: "/nowhere", count: 60))
      #expect(needs.files == [])
      #expect(needs.work.lookups > 0 && needs.work.lookups <= LibraryNeeds.maxLookups + 60)
      #expect(needs.work.bytes > 0 && needs.work.bytes < 200_000)
    }
  }

  /// What the linker reads otherwise than vmhost can't be locked.
  @Test func `doubts a dynamic section that no linker writes`() async throws {
    let good = try Files.read(try BuildProducts.library("echo"))
    let numbers = ELFBytes(good)
    let table = Int(numbers.number(32, 8))
    let segment = try #require(
      (0..<Int(numbers.number(56, 2))).map { table + $0 * ELFHeader.segmentSize }
        .first { numbers.number($0, 4) == ELFHeader.Segment.dynamic })
    let start = Int(numbers.number(segment + 8, 8))
    let end = start + Int(numbers.number(segment + 32, 8))
    func entries(_ tag: UInt64) -> [Int] {
      stride(from: start, to: end, by: 16).filter { numbers.number($0, 8) == tag }
    }
    let unwritten = "it has a dynamic section that no linker writes"
    let cases: [(name: String, doubt: String?, change: (inout [UInt8]) -> Void)] = [
      ("as it is", nil, { _ in }),
      // 24 is DT_BIND_NOW, which has no value.
      ("no end", unwritten, { for entry in entries(0) { Self.set(entry, 24, in: &$0) } }),
      ("elsewhere in memory", unwritten, { Self.set(segment + 16, 8, in: &$0) }),
      ("a name behind all names", unwritten, { Self.set(entries(1)[0] + 8, 1 << 40, in: &$0) }),
      ("names nowhere", "it can't be parsed", { Self.set(entries(5)[0] + 8, 1 << 40, in: &$0) }),
      (
        "a filter", "it names a library by DT_FILTER",
        { bytes in
          Self.set(entries(0)[0], 0x7fff_ffff, in: &bytes)
        }
      ),
    ]
    try await TemporaryDirectory.with { folder in
      let path = try Files.absolute(folder.path) + "/odd.so"
      for item in cases {
        var bytes = good
        item.change(&bytes)
        try Self.write(Data(bytes), to: path)
        let needs = LibraryNeeds(of: path, isExact: true, isReadable: { _ in true })
        #expect(needs.doubt == item.doubt, "\(item.name)")
      }
    }
  }

  private static func set(_ offset: Int, _ value: Int, in bytes: inout [UInt8]) {
    for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  @Test func `a confined plugin finds its libraries, and no others`() async throws {
    try await Self.withLibraries { folder in
      let sandbox = Sandbox(worker: try BuildProducts.executable("vmhost"))
      let path = folder.file("echo.so")
      let plugin = try RemotePlugin(path: path, name: "echo.so", sandbox: sandbox)
      #expect(plugin.manifest.id == "echo")
      try FileManager.default.removeItem(atPath: folder.file("libswiftCory.so"))
      let failure = #expect(throws: PluginLoadError.self) {
        try RemotePlugin(path: path, name: "echo.so", sandbox: sandbox)
      }
      #expect(
        failure?.description == """
          Could not load "echo.so": it needs the library "libswiftCory.so", which was not found. \
          Install it, or put its folder in LD_LIBRARY_PATH.
          """)
    }
  }
}

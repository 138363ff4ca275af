import Foundation
import HostCore
import TestSupport
import Testing

struct SealedImageTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `computes SHA-256 as the standard's examples do`(_ text: String, _ digest: String) {
    #expect(SHA256.digest(of: Array(text.utf8)) == digest)
    #expect(SHA256.digest(of: Array(text.utf8), portably: true) == digest)
  }

  @Test func `computes the same SHA-256 with and without the processor's help`() {
    var generator = SystemRandomNumberGenerator()
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(SHA256.digest(of: bytes) == SHA256.digest(of: bytes, portably: true))
    }
  }

  @Test func `keeps a file as it was when it was copied`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = try folder.write("before", to: "plugin.so")
      var image = try SealedImage()
      try image.fill(from: try .openForReading(path))
      _ = try folder.write("after, and longer", to: "plugin.so")
      let (isSealed, digest) = (image.isSealed, try image.digest())
      #expect(isSealed)
      #expect(digest == SHA256.digest(of: Array("before".utf8)))
      #expect(try Files.read("/proc/self/fd/\(image.descriptor.number)") == Array("before".utf8))
      #expect(throws: SystemError.self) { try image.fill(from: try .openForReading(path)) }
    }
  }

  /// What is copied and hashed goes in parts of 256 KiB, and SHA-256 in blocks of 64 bytes.
  @Test(arguments: [0, 1, 63, 64, 262_143, 262_144, 262_145, 524_288, 1_000_000])
  func `copies a file of any size, and hashes what it copied`(_ count: Int) async throws {
    try await TemporaryDirectory.with { folder in
      let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(32 + $0 % 89))) })
      var image = try SealedImage()
      try image.fill(from: try .openForReading(try folder.write(text, to: "plugin.so")))
      let digest = try image.digest()
      #expect(digest == SHA256.digest(of: Array(text.utf8), portably: true))
      let copy = try Files.read("/proc/self/fd/\(image.descriptor.number)")
      #expect(copy == Array(text.utf8))
    }
  }

  /// A library of one segment, which has the first `loaded` of its bytes.
  private static func library(_ count: Int, loaded: Int) -> [UInt8] {
    var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) }
    func put(_ value: Int, _ size: Int, at offset: Int) {
      for index in 0..<size {
        bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
      }
    }
    bytes.replaceSubrange(0..<6, with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
    put(64, 8, at: 32)  // where the program headers are,
    put(56, 2, at: 54)  // how large each is,
    put(1, 2, at: 56)  // and how many there are
    put(1, 4, at: 64)  // PT_LOAD
    put(0, 8, at: 72)  // from the start of the file
    put(loaded, 8, at: 96)
    return bytes
  }

  @Test(arguments: [4096, 5000, 262_144, 300_000, 599_000, 600_000, 600_001, .max])
  func `copies what can be loaded of a library, and hashes all of it`(_ loaded: Int) async throws {
    try await TemporaryDirectory.with { folder in
      let library = Self.library(600_000, loaded: loaded)
      try Data(library).write(to: URL(fileURLWithPath: folder.file("plugin.so")))
      var image = try SealedImage()
      try image.fill(from: try .openForReading(folder.file("plugin.so")))
      let copy = try Files.read("/proc/self/fd/\(image.descriptor.number)")
      // The linker maps whole pages. What says nothing sensible is copied as a whole.
      let end = loaded > 600_000 ? 600_000 : min((loaded + 4095) / 4096 * 4096, 600_000)
      #expect(copy.count == 600_000)
      #expect(copy[..<end] == library[..<end])
      #expect(copy[end...].allSatisfy { $0 == 0 })
      let digest = try image.digest()
      var shared = try image.another()
      let sharedDigest = try shared.digest()
      #expect(digest == SHA256.digest(of: library))
      #expect(sharedDigest == digest)
    }
  }

  @Test func `hashes what it copied, and not what the file has there later`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("plugin.so")
      let before = Self.library(600_000, loaded: 8192)
      try Data(before).write(to: URL(fileURLWithPath: path))
      var image = try SealedImage()
      try image.fill(from: try .openForReading(path))
      // All of the same file changes, and only what is behind the first part was not read yet.
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.write(contentsOf: Data(repeating: 0xff, count: 600_000))
      try file.close()
      let copy = try Files.read("/proc/self/fd/\(image.descriptor.number)")
      #expect(copy[..<8192] == before[..<8192])
      let digest = try image.digest()
      let changed = [UInt8](repeating: 0xff, count: 600_000 - 262_144)
      #expect(digest == SHA256.digest(of: before[..<262_144] + changed))
    }
  }

  @Test func `a file that shrinks before it is hashed has no digest`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("plugin.so")
      try Data(Self.library(600_000, loaded: 8192)).write(to: URL(fileURLWithPath: path))
      var image = try SealedImage()
      try image.fill(from: try .openForReading(path))
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: 300_000)
      try file.close()
      let error = #expect(throws: SystemError.self) { try image.digest() }
      #expect(error?.number == ESTALE)
    }
  }
}

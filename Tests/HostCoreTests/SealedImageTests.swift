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
      let (isSealed, size, digest) = (image.isSealed, image.size, try image.digest())
      #expect(isSealed)
      #expect(size == 6)
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
      let (size, digest) = (image.size, try image.digest())
      #expect(size == count)
      #expect(digest == SHA256.digest(of: Array(text.utf8), portably: true))
      let copy = try Files.read("/proc/self/fd/\(image.descriptor.number)")
      #expect(copy == Array(text.utf8))
    }
  }
}

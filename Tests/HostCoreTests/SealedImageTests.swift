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
      let image = try SealedImage(copying: path)
      _ = try folder.write("after, and longer", to: "plugin.so")
      let (isSealed, size, digest) = (image.isSealed, image.size, try image.digest())
      #expect(isSealed)
      #expect(size == 6)
      #expect(digest == SHA256.digest(of: Array("before".utf8)))
    }
  }

  @Test func `copies an empty file`() async throws {
    try await TemporaryDirectory.with { folder in
      let image = try SealedImage(copying: try folder.write("", to: "empty"))
      let digest = try image.digest()
      #expect(digest == SHA256.digest(of: []))
    }
  }
}

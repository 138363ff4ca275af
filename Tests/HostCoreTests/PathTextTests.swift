import Basics
import Testing

@testable import HostCore

struct PathTextTests {
  @Test(
    arguments: [
      ([0x61], "a"), ([0xff], "\u{efff}"), ([0x61, 0x80, 0x62], "a\u{ef80}b"),
      (Array("é東😀".utf8), "é東😀"), ([0xc3], "\u{efc3}"), ([0xe2, 0x80], "\u{efe2}\u{ef80}"),
      // The characters that stand for bytes are written by their own bytes.
      (Array("\u{ef80}".utf8), "\u{efee}\u{efbe}\u{ef80}"),
      (Array("\u{efff}".utf8), "\u{efee}\u{efbf}\u{efbf}"), (Array("\u{ef7f}".utf8), "\u{ef7f}"),
      (Array("\u{e000}".utf8), "\u{e000}"),
      // UTF-16's surrogates and overlong forms aren't UTF-8.
      ([0xed, 0xa0, 0x80], "\u{efed}\u{efa0}\u{ef80}"), ([0xc0, 0xaf], "\u{efc0}\u{efaf}"),
    ])
  func `a path has one text`(_ path: [UInt8], _ text: String) {
    #expect(Array(PathText.text(path).utf8) == Array(text.utf8))
    #expect(PathText.bytes(text) == path)
  }

  @Test func `each path comes back from its text`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let path = (0..<Int(random.next() % 9)).map { _ in
        // Bytes that UTF-8 of these characters consists of are frequent.
        let byte = UInt8(truncatingIfNeeded: random.next())
        return byte.isMultiple(of: 3) ? [0xee, 0xbe, 0xbf, 0x80, 0xef][Int(byte) % 5] : byte
      }
      #expect(PathText.bytes(PathText.text(path)) == path)
    }
  }
}

import Basics
import Testing

struct Base64Tests {
  // RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `encodes and decodes`(_ plain: String, _ encoded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(plain.utf8))
  }

  @Test func `has both alphabets, and leaves padding out where asked`() {
    let bytes: [UInt8] = [0xFB, 0xFF, 0xFE, 0xFF]
    #expect(Base64.characters(of: bytes, .standard, padded: true) == Array("+//+/w==".utf8))
    #expect(Base64.characters(of: bytes, .urlSafe, padded: false) == Array("-__-_w".utf8))
  }

  @Test(arguments: [
    "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zm9*", "-__-", "Zg==Zg==", "é===",
  ])
  func `refuses what it would not have written`(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }
}

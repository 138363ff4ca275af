import CanonicalJSON
import Testing

/// The scanner looks at several bytes of a string at once, and has to find the one that matters.
struct StringScanTests {
  /// What the scanner finds at the place of a byte.
  private enum Finding: Equatable {
    case content, end
    case error(JSONError.Code)
  }

  private static let special: [(byte: UInt8, finding: Finding)] = [
    (0x00, .error(.controlCharacter)), (0x1F, .error(.controlCharacter)), (0x20, .content),
    (0x21, .content), (0x22, .end), (0x23, .content), (0x5B, .content),
    (0x5C, .error(.invalidEscape)), (0x5D, .content), (0x7F, .content),
    (0x80, .error(.invalidUTF8)), (0xFF, .error(.invalidUTF8)),
  ]

  /// - Parameter rest: what follows the closing quote.
  @Test(arguments: ["", ",\"more\"", ",\"much more than one block of bytes\""])
  func `each byte is found in each place of a string of each length`(_ rest: String) {
    for count in 1...50 {
      for place in 0..<count {
        // A backslash at the end would escape the quote.
        for (byte, finding) in Self.special where byte != 0x5C || place < count - 1 {
          var content = [UInt8](repeating: 0x78, count: count)
          content[place] = byte
          let json = [0x22] + content + [0x22] + Array(rest.utf8)
          let found = Self.finding(in: json, of: count)
          #expect(
            found.finding == finding && found.place == (finding == .content ? count : place),
            "byte \(byte) at \(place) of \(count): \(found)")
          #expect(
            JSONScanner.isCanonical(json.span) == (finding == .content && rest.isEmpty),
            "byte \(byte) at \(place) of \(count)")
        }
      }
    }
  }

  @Test(
    arguments: [
      ("", false), ("\"", false), ("\"\"", true), ("\"a", false), ("\"a\\\"", false),
      ("\"\\n\"", true), ("\"\\u000a\"", false), ("\"é\"", true), (" \"a\"", false),
      ("\"a\" ", false), ("\"a\\", false), ("\"a\u{1}", false), ("1", true), ("1.0", false),
      ("{}", true), ("[\"a\"]", true), ("nul", false),
    ])
  func `a value is canonical with nothing around it`(_ json: String, _ isCanonical: Bool) {
    #expect(JSONScanner.isCanonical(bytes(json).span) == isCanonical)
  }

  /// What ends the string, and how many bytes of content are before that.
  private static func finding(
    in json: [UInt8], of count: Int
  ) -> (finding: Finding, place: Int) {
    var offset = 0
    do throws(JSONError) {
      let content = try JSONScanner.skipString(in: json.span, at: &offset).content
      return (content.count == count ? .content : .end, content.count)
    } catch { return (.error(error.code), error.offset - 1) }
  }
}

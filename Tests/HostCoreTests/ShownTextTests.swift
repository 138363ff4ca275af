import Testing

@testable import HostCore

struct ShownTextTests {
  @Test(
    arguments: [
      ("plain", "plain"), ("tab\tand\nline", "tab\tand\nline"), ("Grüße, 東京", "Grüße, 東京"),
      ("a\u{202e}b", "a\\u202eb"), ("\u{85}\u{9b}", "\\u0085\\u009b"), ("\u{7f}", "\\u007f"),
      ("\u{e0041}", "\\udb40\\udc41"), ("\u{ad}\u{34f}\u{3164}", "\\u00ad\\u034f\\u3164"),
      ("\u{1b}[31m", "\\u001b[31m"),
      // Emoji of several characters stay.
      ("👩🏽‍🚀", "👩🏽‍🚀"), ("❤️", "❤️"), ("☎︎", "☎︎"), ("1️⃣#️⃣", "1️⃣#️⃣"),
      ("🏳️‍🌈", "🏳️‍🌈"), ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"), ("🇦🇹", "🇦🇹"),
      // What makes no emoji doesn't.
      ("a\u{200d}b", "a\\u200db"), ("👩\u{200d}", "👩\\u200d"), ("\u{200d}👩", "\\u200d👩"),
      ("👩\u{200d}\u{200d}👩", "👩\\u200d\\u200d👩"), ("1\u{fe0f}", "1\\ufe0f"),
      ("a\u{fe0f}", "a\\ufe0f"), ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}\\ufe0f"),
      ("🏴\u{e0067}\u{e007f}", "🏴\\udb40\\udc67\\udb40\\udc7f"), ("❤\u{fe01}", "❤\\ufe01"),
      ("नम\u{200d}", "नम\\u200d"), ("\u{fe0f}", "\\ufe0f"),
    ])
  func `escapes what nobody sees, and nothing else`(_ text: String, _ shown: String) {
    #expect(Array(text.shown(as: .values).utf8) == Array(shown.utf8))
  }

  @Test func `each character that Unicode lets a font ignore is hidden`() {
    // Bidi_Control, Default_Ignorable_Code_Point and White_Space of the same library, and ranges.
    for value in (0...0x10ffff).compactMap({ Unicode.Scalar(UInt32($0)) }) {
      let properties = value.properties
      let isHidden =
        properties.isBidiControl || properties.isDefaultIgnorableCodePoint
        || [.control, .format, .lineSeparator, .paragraphSeparator].contains(
          properties.generalCategory)
      if value.isHidden != isHidden { Issue.record("U+\(String(value.value, radix: 16))") }
    }
  }

  @Test(
    arguments: [
      ("a\u{1b}[1;31mred\u{1b}[0m", "a\u{1b}[1;31mred\u{1b}[0m"),
      ("\u{1b}[2J", "\u{fffd}[2J"), ("\u{1b}]0;x\u{7}", "\u{fffd}]0;x\u{fffd}"),
      ("\u{1b}[", "\u{fffd}["), ("\u{1b}", "\u{fffd}"), ("\r", "\u{fffd}"),
      ("\u{202e}x", "\u{fffd}x"), ("\u{efff}\u{ef80}", "\\xff\\x80"),
    ])
  func `colours are the only sequences that a message keeps`(_ text: String, _ shown: String) {
    #expect(Array(text.shown(as: .colouredMessages).utf8) == Array(shown.utf8))
  }

  @Test func `bytes that aren't UTF-8 are shown as such`() {
    var bytes: [UInt8] = [0x61, 0xff, 0xc2, 0x62, 0xe2, 0x80]
    ShownText.values.apply(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "a\\xff\\xc2b\\xe2\\x80")
  }

  @Test func `only what comes after the start is changed`() {
    var bytes = Array("\u{202e}|\u{202e}".utf8)
    ShownText.values.apply(to: &bytes, from: 4)
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{202e}|\\u202e")
  }
}

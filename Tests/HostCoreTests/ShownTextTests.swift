import Basics
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
      let isPlain = ShownText.isPlain(value.value)
      if value.isHidden != isHidden || isPlain && (isHidden || properties.isEmoji) {
        Issue.record("U+\(String(value.value, radix: 16))")
      }
    }
  }

  /// Characters, parts of emoji, and bytes that are no UTF-8.
  private static let pieces: [[UInt8]] =
    [
      "a", "1", "#", "\n", "é", "ж", "漢", "ｆ", "…", "👩", "❤", "☎", "©", "\u{200d}", "\u{fe0f}",
      "\u{fe0e}", "\u{20e3}", "\u{ad}", "\u{34f}", "\u{202e}", "\u{7f}", "\u{e0041}", "\u{1b}",
    ].map { Array($0.utf8) } + [
      [0x80], [0xc0, 0xb0], [0xc3], [0xe0, 0x83, 0xb6], [0xe6, 0xbc], [0xed, 0xa0, 0x80], [0xf0],
    ]

  @Test func `text is shown alike whole and by characters`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...8, using: &random)
      let text = (0..<count).flatMap { _ in Self.pieces.randomElement(using: &random)! }
      var whole = text
      ShownText.values.apply(to: &whole)
      var parts: [UInt8] = []
      ShownText.values.append(text[...], to: &parts)
      if whole != parts { Issue.record("\(text): \(whole), \(parts)") }
    }
  }

  @Test(
    arguments: [
      ("a\u{1b}[1;31mred\u{1b}[0m", "a\u{1b}[1;31mred\u{1b}[0m"),
      ("👩\u{1b}[0m\u{200d}👩", "👩\u{1b}[0m\u{fffd}👩"),
      ("é\u{1b}[1m\u{1b}[mé\u{1b}", "é\u{1b}[1m\u{1b}[mé\u{fffd}"),
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

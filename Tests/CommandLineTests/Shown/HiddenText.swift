import TestSupport
import Testing

/// Characters that nobody sees, and a plugin and files that are full of them.
enum HiddenText {
  /// All that must not be shown, by its numbers: another list than the one in the sources, which
  /// Unicode's properties make.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x00...0x08, 0x0b...0x1f, 0x7f...0x9f, 0xad...0xad, 0x34f...0x34f, 0x61c...0x61c,
    0x115f...0x1160, 0x17b4...0x17b5, 0x180b...0x180f, 0x200b...0x200f, 0x2028...0x202e,
    0x2060...0x206f, 0x3164...0x3164, 0xfe00...0xfe0f, 0xfeff...0xfeff, 0xffa0...0xffa0,
    0xfff0...0xfffb, 0x1bca0...0x1bca3, 0x1d173...0x1d17a, 0xe0000...0xe0fff,
  ]

  /// One of each kind, and whole ranges of those that were used in attacks.
  static let scalars: [Unicode.Scalar] =
    ranges.flatMap { range in
      Set([range.lowerBound, range.upperBound]).sorted()
    }.filter { $0 >= 0x80 }.compactMap(Unicode.Scalar.init)
    + (0x2028...0x202e).compactMap(Unicode.Scalar.init)
    + (0xe0061...0xe0065).compactMap(Unicode.Scalar.init)

  /// Emoji that consist of several characters, some of which are hidden elsewhere.
  static let emoji = "👩🏽‍🚀❤️1️⃣🏳️‍🌈"

  /// Text with each of the characters between letters. It begins with a title for the terminal.
  static let text: String = {
    var text = "a\u{1b}]0;owned\u{7}\u{1b}[31m"
    for scalar in scalars { text.unicodeScalars += ["b", scalar] }
    return text + emoji + "z"
  }()

  /// The same as a JSON string without quotes, whose characters are as they are where JSON lets
  /// them.
  static let json: String = text.unicodeScalars.map {
    $0.value < 0x20 ? "\\u00" + ($0.value < 0x10 ? "0" : "") + String($0.value, radix: 16) : "\($0)"
  }.joined()

  /// The hidden characters in what was written, with the text before each.
  ///
  /// - Parameter isTerminal: whether sequences that move the cursor or set a colour are the host's.
  static func findings(in bytes: [UInt8], isTerminal: Bool = false) -> [String] {
    var text = String(decoding: bytes, as: UTF8.self)
    if isTerminal { text = withoutSequences(text) }
    for part in emoji { text = text.replacing(String(part), with: "E") }
    var findings: [String] = []
    var before = ""
    for scalar in text.unicodeScalars {
      if ranges.contains(where: { $0.contains(scalar.value) }) {
        findings.append("U+\(String(scalar.value, radix: 16)) after \(before.suffix(40))")
      }
      before.unicodeScalars.append(scalar)
      if before.utf8.count > 400 { before = String(before.suffix(60)) }
    }
    return findings
  }

  /// Drops `\r` and sequences such as `ESC [ 31 m`.
  private static func withoutSequences(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\r" { continue }
      if scalar == "\u{1b}", rest.first == "[" {
        rest = rest.dropFirst().drop { $0.value < 0x40 }.dropFirst()
        continue
      }
      shown.append(scalar)
    }
    return String(shown)
  }

  // MARK: Files

  /// Makes a folder with the plugin, a transcript whose lines aren't what it emits, and a flow.
  static func withFolder(_ body: (TemporaryDirectory) async throws -> Void) async throws {
    try await TemporaryDirectory.with { folder in
      try await compile(into: folder, "hidden.so")
      try folder.write(transcript, to: "hidden.vmt")
      try folder.write(flow, to: "flow.json")
      try await body(folder)
    }
  }

  static func compile(
    into folder: TemporaryDirectory, _ name: String, model: String = "hidden",
    version: String = "1"
  ) async throws {
    let root = try Repository.root()
    try folder.write(
      """
      #define JSON_TEXT \(literal(json))
      #define RAW_TEXT \(literal(text))
      #define MODEL \(literal(model))
      #define VERSION \(literal(version))

      """, to: "text.h")
    try await Compiler.c.run([
      "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", folder.path,
      "-I", "\(root)/Sources/PluginABI/include",
      "\(root)/Tests/Fixtures/HiddenTextPlugin/hidden.c", "-o", folder.file(name),
    ])
  }

  private static func literal(_ text: String) -> String {
    let bytes = text.utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "\"\(bytes.joined())\""
  }

  static let transcript = """
    vmt 1
    @plugin hidden.so
    @open hidden
    # A comment \(text.filter { !$0.isNewline })
    < text "\(json)"
    > say "\(json)"
    < said {"b\(json)":"c"}
    # warning from hidden: "\(json)"
    > ask
    ? 1 http {"url":"\(json)x"}

    """

  static let flow = """
    {
      "start": { "open": "hidden", "config": { "\(json)": "\(json)" } },
      "on": { "hidden.said": { "feed": "hidden.say", "value": "\(json)", "mayRepeat": true } }
    }
    """
}

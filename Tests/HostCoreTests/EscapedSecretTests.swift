import Foundation
import Testing

@testable import HostCore

/// Secrets as the JSON libraries of other languages write them, and secrets of several lines.
struct EscapedSecretTests {
  private static func redact(_ text: String, _ secret: String) -> String {
    var secrets = Secrets()
    secrets.add("key", value: secret)
    return secrets.redacted(text)
  }

  private static let secret = "wJa/lrX U<é&\"zK\\+q😀\tz"

  /// Escapes the characters that `isEscaped` names as `\uXXXX`, with digits as in `format`.
  private static func escape(
    _ text: String, as format: String = "\\u%04x", where isEscaped: (Unicode.Scalar) -> Bool
  ) -> String {
    text.unicodeScalars.map { scalar in
      guard isEscaped(scalar) else { return String(scalar) }
      return String(scalar).utf16.map { String(format: format, $0) }.joined()
    }.joined()
  }

  /// The content of a JSON string, with the short escapes that every library writes.
  private static func json(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
  }

  private static let forms: [String] = {
    let short = json(secret)
    let isNotASCII: (Unicode.Scalar) -> Bool = { !$0.isASCII }
    return [
      short, short.replacing("/", with: "\\/"),
      // Go, Python and PHP.
      escape(short) { "<>&".unicodeScalars.contains($0) }, escape(short, where: isNotASCII),
      escape(short.replacing("/", with: "\\/"), where: isNotASCII),
      escape(short, as: "\\u%04X", where: isNotASCII),
      // All of it, and every second character.
      escape(secret) { _ in true }, escape(secret, as: "\\u%04X") { _ in true },
      escape(short) { $0.value % 2 == 0 && $0 != "\"" && $0 != "\\" && $0 != "t" },
    ]
  }()

  @Test(arguments: forms)
  func `hides what JSON libraries write`(_ form: String) {
    #expect(Self.redact("\"\(form)\"", Self.secret) == "\"SECRET_key\"")
    #expect(Self.redact("x\(form)y\(form)", Self.secret) == "xSECRET_keyySECRET_key")
    // JSON in a string of JSON, and that as a line of JSON.
    let nested = Self.json(form)
    for text in [nested, nested.replacing("/", with: "\\/"), Self.json(nested)] {
      #expect(Self.redact("x\(text)y", Self.secret) == "xSECRET_keyy", "\(text)")
    }
    let encoded = form.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    #expect(Self.redact("x\(encoded)y", Self.secret) == "xSECRET_keyy", "\(encoded)")
  }

  @Test(arguments: [
    #"\u0074\u0030ke"#, #"\u00740ke\u006"#, #"\u007g0ken"#, #"\t0ke"#,
    #"\\\\\\\\u0074\\\\\\\\u0030ken"#, #"\"#, #"\u"#, #"\ud83d"#, #"\ud83d\u0074"#, #"\\\"#,
  ])
  func `leaves alone what only resembles it`(_ text: String) {
    #expect(Self.redact(text, "t0ken") == text)
  }

  @Test func `finds it behind and among backslashes`() {
    for (text, expected) in [
      (#"\t0ken"#, #"\SECRET_key"#), (#"\\\t0ken"#, #"\\\SECRET_key"#),
      (#"\\\u0074\u0030ken"#, #"\SECRET_key"#), (#"\u0074\u00300ken t0ken"#, nil),
    ] {
      let found = Self.redact(text, "t0ken")
      if let expected {
        #expect(found == expected)
      } else {
        #expect(found.hasSuffix(" SECRET_key"))
      }
    }
    // Each backslash may stand there as it is, escaped, or escaped twice.
    for secret in [#"\\\"#, #"a\\b\"#, #"\u0041\"#, #"\/\/"#, #"\""#] {
      for form in [secret, Self.json(secret), Self.json(Self.json(secret))] {
        #expect(Self.redact("x\(form) y", secret) == "xSECRET_key y", "\(form)")
      }
    }
  }

  @Test func `hides base64 with escaped characters`() {
    let secret = "größe/größe?>>>"
    let encoded = Data(("us" + secret + ":").utf8).base64EncodedString()
    #expect(encoded.contains("/") && encoded.contains("="))
    for text in [
      encoded.replacing("/", with: "\\/"), encoded.replacing("/", with: "\\\\/"),
      Self.escape(encoded) { "+/=".unicodeScalars.contains($0) },
    ] {
      let found = Self.redact("a=\(text)&b", secret)
      #expect(found.hasPrefix("a=dX") && found.hasSuffix("SECRET_key&b"), "\(found)")
      #expect(found.utf8.count <= 20, "\(found)")
    }
  }

  @Test func `hides each line of a secret with several, and the whole as one`() {
    for lineBreak in ["\n", "\r\n", "\r"] {
      let secret = ["first line", "xyz", "second", ""].joined(separator: lineBreak)
      #expect(Self.redact("<\(secret)>", secret) == "<SECRET_key>")
      #expect(
        Self.redact("first line\nxyz\nsec%6fnd second", secret)
          == "SECRET_key\nxyz\nSECRET_key SECRET_key")
      #expect(Self.redact(#"{"k":"f\u0069rst line\nxyz"}"#, secret) == #"{"k":"SECRET_key\nxyz"}"#)
    }
  }

  @Test(arguments: [#"\\\\x"#, "t0ken-t0ken", #"\u0041\u0041"#])
  func `the work grows with the text and no faster`(_ secret: String) {
    for unit in [#"\"#, #"\u005c"#, #"\\u005c"#, #"\u0074\u0030"#, #"\ud83d"#, "%5c"] {
      func work(_ bytes: Int) -> Int {
        let text = Array(String(repeating: unit, count: bytes / unit.utf8.count).utf8)
        var search = SecretSearch(Array(secret.utf8), .init(in: text.span, from: 0))
        #expect(search.first(in: text.span, from: 0) == nil)
        return search.comparisons
      }
      let (some, many) = (work(1_000), work(4_000))
      #expect(many <= 5 * some + 1000, "\(unit)")
      #expect(many <= 300 * 4_000, "\(unit)")
    }
  }
}

import CanonicalJSON
import Foundation
import Testing

@testable import HostCore

struct SecretsTests {
  private static func redact(_ text: String, _ secrets: [(String, String)]) -> String {
    var collection = Secrets()
    for (name, value) in secrets { collection.add(name, value: value) }
    return collection.redacted(text)
  }

  /// Marks that encodings treat differently, among letters that they leave alone.
  private static let value = "a/b+c=d e&f?g~h!i*j'k(l)m\"n\\o<p>q%r"

  private static var percentEncoded: [String] {
    func encode(_ kept: String, _ digits: String = "0123456789ABCDEF") -> String {
      let digits = Array(digits.utf8)
      return String(
        decoding: value.utf8.flatMap { byte -> [UInt8] in
          let isAlphanumeric = Character(UnicodeScalar(byte)).isLetter
          if isAlphanumeric || kept.utf8.contains(byte) { return [byte] }
          return [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }, as: UTF8.self)
    }
    return [
      encode("-._~"), encode("-._~", "0123456789abcdef"), encode("-._~!*'()"),
      encode("-._*").replacing("%20", with: "+"), encode("-._~").replacing("%20", with: "+"),
      encode("-._~!$&'()*+,;=:@/?"),
    ]
  }

  @Test(arguments: percentEncoded)
  func `hides percent-encoded forms`(_ form: String) {
    #expect(Self.redact("q=\(form)&x", [("key", Self.value)]) == "q=SECRET_key&x")
  }

  @Test func `hides any mixture of characters as they are and percent-encoded`() {
    func encode(_ text: String, _ isEncoded: (Int) -> Bool, _ format: String) -> String {
      text.utf8.enumerated().map { index, byte in
        isEncoded(index) ? String(format: format, byte) : String(UnicodeScalar(byte))
      }.joined()
    }
    for secret in ["t0ken", Self.value, "%%25%2525%", "a b+c", "    ", "%41%42"] {
      let count = secret.utf8.count
      for pattern in 0..<(1 << min(count, 7)) {
        for format in ["%%%02x", "%%%02X"] {
          let text = encode(secret, { pattern >> ($0 % 7) & 1 == 1 }, format)
          #expect(Self.redact("x\(text)y", [("key", secret)]) == "xSECRET_keyy", "\(text)")
          let plus = text.replacing(" ", with: "+")
          #expect(Self.redact("x\(plus)y", [("key", secret)]) == "xSECRET_keyy", "\(plus)")
        }
      }
    }
    // Whatever stands before it.
    for text in ["%t0ken", "%%74%30ken", "%7t0%6ben", "%%%74%30%6B%65%6E"] {
      #expect(Self.redact(text, [("key", "t0ken")]).hasSuffix("SECRET_key"), "\(text)")
    }
    #expect(Self.redact("%74abcd", [("key", "74ab")]) == "%SECRET_keycd")
    #expect(Self.redact("%74%61bcd", [("key", "74ab")]) == "%SECRET_keycd")
  }

  @Test(arguments: ["%7%30ken", "%74%3", "%74%30%6b%65", "t%g0ken", "%2574%30ken", "%", "%%%%"])
  func `leaves alone what only resembles it`(_ text: String) {
    #expect(Self.redact(text, [("key", "t0ken")]) == text)
  }

  @Test func `hides percent-encoded base64`() {
    let secret = "größe/größe?>>>"
    let encoded = Data(("u:" + secret + ":").utf8).base64EncodedString()
    let escaped = encoded.replacing("+", with: "%2B").replacing("/", with: "%2f")
      .replacing("=", with: "%3D")
    #expect(escaped.contains("%"))
    let found = Self.redact("a=\(escaped)&b", [("key", secret)])
    #expect(found.hasPrefix("a=dT") && found.hasSuffix("SECRET_key&b"), "\(found)")
  }

  @Test(arguments: ["t0ken-t0ken", "%%%%%%%x", "%25%25%25%25x"])
  func `the work grows with the text and no faster`(_ secret: String) {
    let near = secret.dropLast().utf8.map { String(format: "%%%02x", $0) }.joined()
    for (unit, most) in [("%", 30), ("%25", 60), ("%74%30%6", 30), (near, 30)] {
      func work(_ bytes: Int) -> Int {
        let text = Array(String(repeating: unit, count: bytes / unit.utf8.count).utf8)
        var search = SecretSearch(Array(secret.utf8), .init(in: text.span, from: 0))
        #expect(search.first(in: text.span, from: 0) == nil)
        return search.comparisons
      }
      let (some, many) = (work(10_000), work(100_000))
      #expect(many <= 11 * some + 1000, "\(unit)")
      #expect(many <= most * 100_000, "\(unit)")
    }
  }

  @Test func `a megabyte of percent signs and near misses stay as they are`() {
    let text = String(repeating: "%%74%30%6b%65%7", count: 1_000_000 / 15)
    #expect(Self.redact(text, [("key", "t0ken-t0ken")]) == text)
  }

  @Test func `hides a secret as it is and as JSON has it`() throws {
    let json = String(
      decoding: try JSONEncoder().encode(Self.value), as: UTF8.self
    ).replacing("\\/", with: "/")
    #expect(Self.redact(json, [("key", Self.value)]) == "\"SECRET_key\"")
    #expect(Self.redact("x\(Self.value)y", [("key", Self.value)]) == "xSECRET_keyy")
    #expect(Self.redact("tab", [("key", "a\tb\u{1}")]) == "tab")
    #expect(Self.redact("\"a\\tb\\u0001\"", [("key", "a\tb\u{1}")]) == "\"SECRET_key\"")
  }

  @Test(arguments: 0..<9, ["hunter2-hunter2", "größe/größe?>>>", "0123456789"])
  func `hides base64 at each alignment`(_ shift: Int, _ secret: String) {
    let prefix = String(repeating: "u", count: shift)
    for suffix in ["", ":", "::", ":::"] {
      let encoded = Data((prefix + secret + suffix).utf8).base64EncodedString()
      let urlSafe = encoded.replacing("+", with: "-").replacing("/", with: "_")
      for form in [encoded, urlSafe, urlSafe.replacing("=", with: "")] {
        let found = Self.redact("Basic \(form).", [("key", secret)])
        #expect(found.contains("SECRET_key"), "\(form)")
        // What is left of the encoding around it holds no four bytes of the secret.
        let rest = found.replacing("Basic ", with: "").replacing("SECRET_key", with: "")
        #expect(rest.count <= (shift + suffix.count) * 4 / 3 + 8, "\(found)")
      }
    }
  }

  @Test(arguments: ["hunt", "hunter2", "hunter22", "größe/größe?>>>", "0123456789ab"])
  func `what is written of base64 is the same for a secret and for what stands for it`(
    _ secret: String
  ) {
    for (prefix, suffix) in ["", "u", "us", "use", "user"].flatMap({ prefix in
      ["", ":", "::", ":::", ": and more"].map { (prefix, $0) }
    }) {
      func written(_ value: String) -> String {
        let encoded = Data((prefix + value + suffix).utf8).base64EncodedString()
        return Self.redact("Basic \(encoded), x", [("key", value)])
      }
      // The shortest has no part in longer text that couldn't be found anywhere.
      if secret == "hunt" && prefix + suffix != "" { continue }
      #expect(written(secret) == written("SECRET_key"))
      #expect(written(secret).hasPrefix("Basic ") && written(secret).hasSuffix("SECRET_key, x"))
    }
  }

  @Test(arguments: [
    ("abcdef", "xx abcdef yy abcdefghi zz", "xx SECRET_a yy SECRET_b zz"),
    ("abcdef", "abcdefghiabcdef", "SECRET_bSECRET_a"),
    ("abcdef", "abcdefgh", "SECRET_agh"),
    ("ghi", "abcdefghi ghi", "SECRET_b SECRET_a"),
  ])
  func `a secret inside another one doesn't cut it in two`(
    _ inner: String, _ text: String, _ expected: String
  ) {
    #expect(Self.redact(text, [("a", inner), ("b", "abcdefghi")]) == expected)
    #expect(Self.redact(text, [("b", "abcdefghi"), ("a", inner)]) == expected)
  }

  @Test func `what was put in place of one secret is not taken for another`() {
    #expect(Self.redact("x hunter22 y", [("a", "hunter22"), ("b", "SECRET")]) == "x SECRET_a y")
    #expect(Self.redact("x hunter22 y", [("key", "hunter22"), ("b", "key")]) == "x SECRET_key y")
  }

  @Test(arguments: [
    "", "nothing here", "hunter", "hunter3", "HUNTER22", "größe", "{\"a\":[1,2]}", "aHVudGVy",
  ])
  func `changes nothing else`(_ text: String) {
    #expect(Self.redact(text, [("key", "hunter22")]) == text)
    #expect(Self.redact(text, []) == text)
  }

  @Test func `leaves alone what comes before the start`() {
    var secrets = Secrets()
    secrets.add("key", value: "hunter22")
    var bytes = Array("hunter22 hunter22".utf8)
    secrets.redact(&bytes, from: 3)
    #expect(String(decoding: bytes, as: UTF8.self) == "hunter22 SECRET_key")
  }

  @Test func `hides a short secret as it is, but looks for no short base64`() {
    #expect(Self.redact("pin=12&YWI=", [("pin", "12")]) == "pin=SECRET_pin&YWI=")
  }

  @Test func `a secret of many bytes a character is hidden whole`() {
    #expect(Self.redact("<日本語のキー>", [("k", "日本語のキー")]) == "<SECRET_k>")
    #expect(Self.redact("%E6%97%A5%E6%9C%AC", [("k", "日本")]) == "SECRET_k")
    #expect(Self.redact("%e6%97%a5%e6%9c%ac", [("k", "日本")]) == "SECRET_k")
  }

  @Test func `hides what JSON within JSON has of it`() {
    let secret = "a\"b\\c"
    #expect(Self.redact(#""say \"a\\\"b\\\\c\"""#, [("key", secret)]) == #""say \"SECRET_key\"""#)
  }

  // MARK: Configs

  /// What a plugin gets of a config, by a manifest's defaults.
  private static func resolved(
    _ config: String?, defaults: String, schema: String, _ secrets: [String: String] = [:]
  ) throws -> String? {
    let manifest = try PluginManifest(
      json: Array(
        """
        {"id":"a","version":"1","viewModels":[{"id":"a","inputs":[],"states":[],
        "config":{"schema":\(schema),"default":\(defaults)}}]}
        """.utf8))
    var collection = Secrets()
    for (name, value) in secrets { collection.add(name, value: value) }
    let given = try config.map { try JSONValue(parsing: Array($0.utf8).span) }
    return try collection.resolve(
      given, of: manifest.viewModels[0], for: .init(plugin: "a", isOnly: true)
    ).map { "\($0)" }
  }

  private static let login = """
    {"a":1,"keys":["$secret:one",2],"login":{"name":"me","password":"$secret:two"}}
    """
  private static let loginSchema = """
    {"properties":{"login":{"properties":{"name":{},"password":{}}}}}
    """

  @Test(
    arguments: [
      (nil, #"{"keys":["11111",2],"login":{"password":"SECRET_two"}}"#),
      ("{}", #"{"keys":["11111",2],"login":{"password":"SECRET_two"}}"#),
      (#"{"keys":[],"login":null}"#, #"{"keys":[],"login":null}"#),
      (
        #"{"keys":0,"login":{"name":"you"}}"#,
        #"{"keys":0,"login":{"name":"you","password":"SECRET_two"}}"#
      ),
      (#"{"keys":0,"login":{"password":""}}"#, #"{"keys":0,"login":{"password":""}}"#),
      (#"{"a":"$secret:one","keys":0,"login":0}"#, #"{"a":"11111","keys":0,"login":0}"#),
    ])
  func `secrets come from wherever the view model's defaults name them`(
    _ config: String?, expected: String
  ) throws {
    #expect(
      try Self.resolved(
        config, defaults: Self.login, schema: Self.loginSchema, ["one": "11111"]) == expected)
  }

  @Test func `an object that may have any members gets none by default`() throws {
    let config = #"{"keys":0,"login":{"name":"you"}}"#
    #expect(try Self.resolved(config, defaults: Self.login, schema: "{}") == config)
    #expect(try Self.resolved(nil, defaults: #"{"a":1}"#, schema: "{}") == nil)
    #expect(try Self.resolved("{}", defaults: #"{"a":1}"#, schema: "{}") == "{}")
  }

  @Test func `a secret that a config names itself must be given`() {
    let error = #expect(throws: SessionError.self) {
      try Self.resolved(
        #"{"a":{"b":["$secret:two"]}}"#, defaults: Self.login, schema: Self.loginSchema)
    }
    #expect(error?.description.contains("names the secret \"two\", which is not given") == true)
  }
}

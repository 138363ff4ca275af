import Basics
import CanonicalJSON
import TestSupport
import Testing

struct JSONFuzzTests {
  static let seeds = [
    #"{"a":[1,2.5,-0,1e5,"x\u00e9\n"],"b":{"c":null,"d":true},"\u0061b":"😀é漢"}"#,
    #"[{"z":1,"y":[{},[],""],"x":"\ud83d\ude00"},false, 123456789012345678901, 0.1]"#,
    #"  {"":{"":{"":[[[["deep"]]]]}},"k\\\"":"\/\b\f"} "#, #""\u0000\u001f\u007f""#, "-1.5e-7",
  ].map(bytes)

  @Test func `never crashes, and the parsers agree, on mutated documents`() {
    var random = SplitMix64(seed: 0x5EED)
    for _ in 0..<20_000 {
      check(random.mutated(Self.seeds))
    }
  }

  /// What must hold for any input.
  private func check(_ input: [UInt8]) {
    var end = 0
    let scanned = Result { try JSONScanner.skipValue(in: input.span, at: &end) }
    let output = Result { try CanonicalJSON.bytes(input.span) }
    let value = Result { try JSONValue(parsing: input.span) }
    switch (output, value) {
    case (.success(let output), .success(let value)):
      #expect(output == bytes(value.canonicalText), "\(text(input))")
      #expect((try? CanonicalJSON.bytes(output.span)) == output, "\(text(input))")
      #expect((try? isProvenCanonical(output)) == true, "\(text(input))")
      if case .success(true) = scanned { #expect(Array(input[..<end]) == output, "\(text(input))") }
    case (.failure(let one), .failure(let other)):
      // After a duplicate key, one parser may meet another error first.
      let codes = [one, other].compactMap { ($0 as? JSONError)?.code }
      #expect(codes[0] == codes[1] || codes.contains(.duplicateKey), "\(text(input))")
    default: Issue.record("the parsers disagree on \(text(input))")
    }
  }
}

extension SplitMix64 {
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// One of the documents with a few bytes replaced, inserted, removed, or copied from another.
  mutating func mutated(_ documents: [[UInt8]]) -> [UInt8] {
    var document = documents[below(documents.count)]
    let syntax = bytes("{}[]\",:\\u0123e.-+ tfn\u{0}aé")
    for _ in 0..<(below(4) + 1) where !document.isEmpty {
      let index = below(document.count)
      switch below(5) {
      case 0: document[index] = syntax[below(syntax.count)]
      case 1: document[index] = UInt8(truncatingIfNeeded: next())
      case 2: document.insert(syntax[below(syntax.count)], at: index)
      case 3: document.remove(at: index)
      default:
        let other = documents[below(documents.count)]
        let start = below(other.count)
        document.insert(contentsOf: other[start..<min(start + below(12), other.count)], at: index)
      }
    }
    return document
  }
}

import Basics
import CanonicalJSON

extension Secrets {
  /// Replaces the secrets in `bytes`, from `start` on.
  ///
  /// The replacement of one secret is not searched for another one.
  package func redact(_ bytes: inout [UInt8], from start: Int = 0) {
    let marks = SecretSearch.Marks(in: bytes.span, from: start)
    let found = patterns.filter { pattern in
      var search = SecretSearch(pattern.bytes, marks)
      return search.first(in: bytes.span, from: start) != nil
    }
    guard !found.isEmpty else { return }
    var result = Array(bytes[..<start])
    Self.append(bytes, start..<bytes.count, replacing: found[...], marks, to: &result)
    bytes = result
  }

  /// Appends a range of bytes: what is between the matches of the first pattern without those of
  /// the others.
  private static func append(
    _ bytes: [UInt8], _ range: Range<Int>, replacing patterns: ArraySlice<SecretPattern>,
    _ marks: SecretSearch.Marks, to result: inout [UInt8]
  ) {
    guard let pattern = patterns.first, !range.isEmpty else {
      return result.append(contentsOf: bytes[range])
    }
    let text = bytes.span.extracting(0..<range.upperBound)
    var search = SecretSearch(pattern.bytes, marks)
    var start = range.lowerBound
    while let exact = search.first(in: text, from: start) {
      let found = pattern.extent(of: exact, in: text, from: start)
      append(bytes, start..<found.lowerBound, replacing: patterns.dropFirst(), marks, to: &result)
      result.append(contentsOf: pattern.replacement)
      start = found.upperBound
    }
    append(bytes, start..<range.upperBound, replacing: patterns.dropFirst(), marks, to: &result)
  }

  /// The text with its secrets replaced.
  package func redacted(_ text: String) -> String {
    guard !isEmpty else { return text }
    var bytes = Array(text.utf8)
    redact(&bytes)
    return String(repairing: bytes.span)
  }

  /// The value with its secrets replaced. A number that holds one becomes a string.
  func redacted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .string(redacted(text))
    case .number(let number):
      let text = redacted(number.description)
      return text == number.description ? value : .string(text)
    case .array(let elements): return .array(elements.map { redacted($0) })
    case .object(let members):
      let replaced = members.map { (redacted($0.key), redacted($0.value)) }
      return .object(Dictionary(replaced, uniquingKeysWith: { $1 }))
    case .null, .bool: return value
    }
  }

  /// Canonical JSON with its secrets replaced, which is canonical JSON again.
  func redactedJSON(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return bytes }
    var replaced = bytes
    redact(&replaced)
    guard replaced != bytes, let value = try? JSONValue(parsing: bytes.span) else {
      return replaced
    }
    var result: [UInt8] = []
    redacted(value).append(to: &result)
    // Some secrets only appear in the written form, such as one that is escaped twice.
    redact(&result)
    return result
  }
}

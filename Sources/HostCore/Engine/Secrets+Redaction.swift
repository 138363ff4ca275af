import Basics
import CanonicalJSON

extension Secrets {
  /// A range of bytes, and what replaces it if it is a secret.
  private struct Piece {
    let range: Range<Int>
    var replacement: [UInt8]?
  }

  /// Replaces the secrets in `bytes`, from `start` on.
  ///
  /// The replacement of one secret is not searched for another one.
  package func redact(_ bytes: inout [UInt8], from start: Int = 0) {
    var pieces = [Piece(range: start..<bytes.count)]
    for pattern in patterns {
      var search = SecretSearch(pattern.bytes)
      guard search.first(in: bytes.span, from: start) != nil else { continue }
      pieces = pieces.flatMap { piece in
        piece.replacement == nil ? Self.split(piece.range, of: bytes, at: pattern) : [piece]
      }
    }
    guard pieces.count > 1 || pieces[0].replacement != nil else { return }
    var result = Array(bytes[..<start])
    for piece in pieces {
      result.append(contentsOf: piece.replacement.map { $0[...] } ?? bytes[piece.range])
    }
    bytes = result
  }

  private static func split(
    _ range: Range<Int>, of bytes: [UInt8], at pattern: SecretPattern
  ) -> [Piece] {
    var pieces: [Piece] = []
    let text = bytes.span.extracting(0..<range.upperBound)
    var search = SecretSearch(pattern.bytes)
    var start = range.lowerBound
    while let exact = search.first(in: text, from: start) {
      let found = pattern.extent(of: exact, in: text, from: start)
      pieces.append(Piece(range: start..<found.lowerBound))
      pieces.append(Piece(range: found, replacement: pattern.replacement))
      start = found.upperBound
    }
    return pieces + [Piece(range: start..<range.upperBound)]
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

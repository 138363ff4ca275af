/// Searches text for some bytes, each of which may stand there as it is or percent-encoded, with
/// digits in upper or lower case, and a blank also as `+`.
///
/// The work is at most the length of the text times that of the bytes; in text without near misses
/// it is the length of the text.
struct SecretSearch {
  private let wanted: [UInt8]
  /// Where the text has the next of the bytes that a match may begin with.
  private var next = (first: -1, percent: -1, plus: -1)
  /// How many bytes were compared so far, as a measure of the work.
  private(set) var comparisons = 0

  private static let percent = UInt8(ascii: "%")
  private static let blank = UInt8(ascii: " ")
  private static let plus = UInt8(ascii: "+")

  /// - Parameter wanted: must not be empty.
  init(_ wanted: [UInt8]) {
    self.wanted = wanted
    if wanted[0] != Self.blank { next.plus = .max }
  }

  /// The first range at or after `start` that has the bytes.
  ///
  /// One search is for one text, from its beginning to its end.
  mutating func first(in text: Span<UInt8>, from start: Int) -> Range<Int>? {
    var offset = start
    while true {
      Self.advance(&next.first, to: wanted[0], in: text, from: offset)
      Self.advance(&next.percent, to: Self.percent, in: text, from: offset)
      Self.advance(&next.plus, to: Self.plus, in: text, from: offset)
      let candidate = min(next.first, next.percent, next.plus)
      guard candidate < text.count else { return nil }
      if let end = end(ofMatchAt: candidate, in: text) { return candidate..<end }
      offset = candidate + 1
    }
  }

  private static func advance(
    _ next: inout Int, to byte: UInt8, in text: Span<UInt8>, from offset: Int
  ) {
    if next < offset { next = text.firstIndex(of: byte, from: offset) ?? .max }
  }

  private mutating func end(ofMatchAt start: Int, in text: Span<UInt8>) -> Int? {
    var offset = start
    for (index, byte) in wanted.enumerated() {
      comparisons += 1
      guard offset < text.count else { return nil }
      if byte == Self.percent, Self.percentDecoded(text, at: offset) == byte {
        return end(ofMatchFrom: index, at: offset, in: text)
      }
      if text[offset] == byte || (byte == Self.blank && text[offset] == Self.plus) {
        offset += 1
      } else if Self.percentDecoded(text, at: offset) == byte {
        offset += 3
      } else {
        return nil
      }
    }
    return offset
  }

  /// Goes on where `%25` is either an encoded percent sign, or one as it is with `25` behind it.
  /// The places that a match can have got to are few: they differ by how many were encoded.
  private mutating func end(
    ofMatchFrom index: Int, at offset: Int, in text: Span<UInt8>
  ) -> Int? {
    var offsets: Set = [offset]
    for byte in wanted[index...] {
      var next: Set<Int> = []
      for offset in offsets where offset < text.count {
        comparisons += 1
        if text[offset] == byte || (byte == Self.blank && text[offset] == Self.plus) {
          next.insert(offset + 1)
        }
        if Self.percentDecoded(text, at: offset) == byte { next.insert(offset + 3) }
      }
      guard !next.isEmpty else { return nil }
      offsets = next
    }
    return offsets.max()
  }

  /// The byte that `%` and two digits stand for; nil if there is no such thing at the offset.
  static func percentDecoded(_ text: Span<UInt8>, at offset: Int) -> UInt8? {
    guard offset + 2 < text.count, text[offset] == percent, let high = digit(text[offset + 1]),
      let low = digit(text[offset + 2])
    else { return nil }
    return high << 4 | low
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

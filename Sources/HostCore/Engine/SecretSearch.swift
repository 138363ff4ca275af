/// Searches text for some bytes, each of which may stand there as it is, percent-encoded (with
/// digits in upper or lower case, a blank also as `+`), or as an escape of a JSON string.
///
/// The work is at most the length of the text times that of the bytes; in text without near misses
/// it is the length of the text.
struct SecretSearch {
  /// Where text has the first of the bytes that an encoded one begins with.
  struct Marks {
    var percent = -1
    var backslash = -1

    /// Looks only once for what most text doesn't have, however many searches follow.
    init(in text: Span<UInt8>, from start: Int) {
      SecretSearch.advance(&percent, to: EscapedText.percent, in: text, from: start)
      SecretSearch.advance(&backslash, to: EscapedText.backslash, in: text, from: start)
    }
  }

  /// How far a match has got: the next of the bytes, and its place in the text.
  private struct Place: Hashable {
    var index: Int
    var offset: Int
  }

  private let wanted: [UInt8]
  /// Where the text has the next of the bytes that a match may begin with.
  private var next: (first: Int, plus: Int, marks: Marks)
  /// How many bytes were compared so far, as a measure of the work.
  private(set) var comparisons = 0

  private static let blank = UInt8(ascii: " ")
  private static let plus = UInt8(ascii: "+")

  /// - Parameters:
  ///   - wanted: must not be empty.
  ///   - marks: those of the text.
  init(_ wanted: [UInt8], _ marks: Marks) {
    self.wanted = wanted
    next = (-1, wanted[0] == Self.blank ? -1 : .max, marks)
  }

  /// The first range at or after `start` that has the bytes.
  ///
  /// One search is for one text, from its beginning to its end.
  mutating func first(in text: Span<UInt8>, from start: Int) -> Range<Int>? {
    var offset = start
    while true {
      Self.advance(&next.first, to: wanted[0], in: text, from: offset)
      Self.advance(&next.plus, to: Self.plus, in: text, from: offset)
      Self.advance(&next.marks.percent, to: EscapedText.percent, in: text, from: offset)
      Self.advance(&next.marks.backslash, to: EscapedText.backslash, in: text, from: offset)
      let candidate = min(next.first, next.plus, next.marks.percent, next.marks.backslash)
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
    var place = Place(index: 0, offset: start)
    while place.index < wanted.count {
      guard place.offset < text.count else { return nil }
      let byte = text[place.offset]
      if byte == EscapedText.percent || byte == EscapedText.backslash {
        let places = places(after: place, in: text)
        guard places.count < 2 else { return end(ofMatchFrom: places, in: text) }
        guard let only = places.first else { return nil }
        place = only
      } else {
        comparisons += 1
        guard isWanted(byte, at: place.index) else { return nil }
        place = Place(index: place.index + 1, offset: place.offset + 1)
      }
    }
    return place.offset
  }

  /// Goes on where the text can be read in several ways: `%25` is an encoded percent sign, or one
  /// as it is with `25` behind it, and `\\` is an escaped backslash, or two.
  private mutating func end(ofMatchFrom places: [Place], in text: Span<UInt8>) -> Int? {
    // The places that a match can have got to are few: they differ by how many were encoded.
    var offsets: [Int: Set<Int>] = [:]
    func note(_ place: Place) { offsets[place.index, default: []].insert(place.offset) }
    places.forEach(note)
    while let index = offsets.keys.min(), let reached = offsets.removeValue(forKey: index) {
      guard index < wanted.count else { return reached.max() }
      for offset in reached where offset < text.count {
        self.places(after: Place(index: index, offset: offset), in: text).forEach(note)
      }
    }
    return nil
  }

  private func isWanted(_ byte: UInt8, at index: Int) -> Bool {
    byte == wanted[index] || byte == Self.plus && wanted[index] == Self.blank
  }

  /// The places behind the next character, for each way to read it as the wanted bytes.
  private mutating func places(after place: Place, in text: Span<UInt8>) -> [Place] {
    comparisons += 1
    var places: [Place] = []
    if isWanted(text[place.offset], at: place.index) {
      places.append(Place(index: place.index + 1, offset: place.offset + 1))
    }
    let read = EscapedText.percentDecoded(text, at: place.offset)
    if let read, read.byte == wanted[place.index] {
      places.append(Place(index: place.index + 1, offset: read.end))
    }
    guard (read?.byte ?? text[place.offset]) == EscapedText.backslash else { return places }
    for depth in 1...EscapedText.maxDepth {
      guard let read = EscapedText.escape(in: text, at: place.offset, depth) else { continue }
      let bytes = read.scalar.utf8
      if wanted[place.index...].starts(with: bytes) {
        places.append(Place(index: place.index + bytes.count, offset: read.end))
      }
    }
    return places
  }
}

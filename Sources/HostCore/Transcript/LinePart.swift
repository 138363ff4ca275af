/// A part of a line that an error can be about, wherever in the line it stands.
package enum LinePart: Equatable, Sendable {
  /// What the line is about: the first word behind what the line begins with. In JSON Lines, the
  /// member that stands for it.
  case subject
  /// The handle before a dot.
  case handle
  /// The name of a port, without a handle.
  case name
  /// The id of a request, without a handle.
  case id
  /// It can't be told.
  case unknown

  /// Where it begins, in bytes; nil if the line doesn't have it.
  func offset(in line: Span<UInt8>) -> Int? {
    guard self != .unknown, !line.isEmpty else { return nil }
    if line[0] == UInt8(ascii: "{") { return JSONLineParser.offset(of: self, in: line) }
    guard var word = Self.word(of: line, after: 0) else { return nil }
    // When an expected event comes.
    if line[word.lowerBound] == UInt8(ascii: "@") {
      guard let next = Self.word(of: line, after: word.lowerBound) else { return nil }
      word = next
    }
    let dot = line.firstIndex(of: UInt8(ascii: "."), from: word.lowerBound) ?? line.count
    switch self {
    case .subject: return word.lowerBound
    case .handle: return dot < word.upperBound ? word.lowerBound : nil
    case .name, .id: return dot < word.upperBound ? dot + 1 : word.lowerBound
    case .unknown: return nil
    }
  }

  /// The word that follows the one at `start`.
  private static func word(of line: Span<UInt8>, after start: Int) -> Range<Int>? {
    let space = TextLineParser.space
    var first = line.firstIndex(of: space, from: start) ?? line.count
    while first < line.count && line[first] == space { first += 1 }
    guard first < line.count else { return nil }
    return first..<(line.firstIndex(of: space, from: first) ?? line.count)
  }
}

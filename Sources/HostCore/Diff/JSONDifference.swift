import CanonicalJSON

/// The first difference of two canonical JSON documents.
enum JSONDifference: Equatable {
  /// The values at a path differ. The ranges are those of the values in each document. An empty
  /// path means the whole document.
  case value(path: String, expected: Range<Int>, found: Range<Int>)
  /// An object has a member on one side only. The name is in quotes.
  case member(path: String, name: String, isExpected: Bool)
  /// An array ends earlier on one side, after `count` elements.
  case length(path: String, count: Int, isExpectedLonger: Bool)

  /// The documents must differ. If one isn't JSON, they differ as a whole.
  init(expected: [UInt8], found: [UInt8]) {
    var shared = 0
    let shorter = min(expected.count, found.count)
    if !expected.isEmpty, !found.isEmpty {
      shared = VisibleText.sharedPrefix(expected[...], found[...])
    }
    // Of two JSON documents, only a number can begin with all of the other one.
    guard shared < shorter, shared > 0 else {
      self = .value(path: "", expected: 0..<expected.count, found: 0..<found.count)
      return
    }
    var walk = JSONWalk()
    walk.advance(to: shared, in: expected.span)
    let bytes = (expected[shared], found[shared])
    let isInNumber = JSONWalk.isScalar(bytes.0) || JSONWalk.isScalar(bytes.1)
    if let start = walk.lastScalar, walk.offset == shared, isInNumber {
      self = .value(at: start, walk, expected, found)
    } else if walk.expectsKey, walk.isInObject {
      self = .member(at: walk.offset, walk, expected, found)
    } else if walk.offset == shared, Self.isSeparator(bytes.0) || Self.isSeparator(bytes.1) {
      self = .length(walk, expected, found, at: shared)
    } else {
      self = .value(at: walk.offset, walk, expected, found)
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
  }

  private static func value(
    at start: Int, _ walk: JSONWalk, _ expected: [UInt8], _ found: [UInt8]
  ) -> Self {
    var (end, foundEnd) = (start, start)
    guard (try? JSONScanner.skipValue(in: expected.span, at: &end)) != nil,
      (try? JSONScanner.skipValue(in: found.span, at: &foundEnd)) != nil
    else { return .value(path: "", expected: 0..<expected.count, found: 0..<found.count) }
    return .value(
      path: walk.path(in: expected, toContainer: false), expected: start..<end,
      found: start..<foundEnd)
  }

  /// The names are sorted, so the other side lacks the name that sorts first.
  private static func member(
    at start: Int, _ walk: JSONWalk, _ expected: [UInt8], _ found: [UInt8]
  ) -> Self {
    let (one, other) = (name(in: expected, at: start), name(in: found, at: start))
    let isExpected =
      if let one, let other { text(one).utf16.lexicographicallyPrecedes(text(other).utf16) } else {
        one != nil
      }
    return .member(
      path: walk.path(in: expected, toContainer: true),
      name: VisibleText.cut((isExpected ? one : other) ?? [], columns: 60, counts: false),
      isExpected: isExpected)
  }

  /// The name at `start` with its quotes, or nil if the object ends there.
  private static func name(in json: [UInt8], at start: Int) -> ArraySlice<UInt8>? {
    guard json[start] == UInt8(ascii: "\"") else { return nil }
    return json[start..<JSONWalk.endOfScalar(in: json.span, from: start)]
  }

  private static func text(_ name: ArraySlice<UInt8>) -> String {
    let content = Array(name.dropFirst().dropLast())
    return (try? CanonicalJSON.unescape(content.span)) ?? String(decoding: content, as: UTF8.self)
  }

  private static func length(
    _ walk: JSONWalk, _ expected: [UInt8], _ found: [UInt8], at offset: Int
  ) -> Self {
    guard let index = walk.index else {
      // In an object, one side goes on after a comma.
      let isExpected = expected[offset] == UInt8(ascii: ",")
      let longer = isExpected ? expected : found
      let name = offset + 1 < longer.count ? name(in: longer, at: offset + 1) : nil
      return .member(
        path: walk.path(in: expected, toContainer: true),
        name: VisibleText.cut(name ?? [], columns: 60, counts: false), isExpected: isExpected)
    }
    let isEmpty = expected[offset - 1] == UInt8(ascii: "[")
    return .length(
      path: walk.path(in: expected, toContainer: true), count: isEmpty ? 0 : index + 1,
      isExpectedLonger: expected[offset] != UInt8(ascii: "]"))
  }
}

import CanonicalJSON

// A value is compared in canonical form, and shown where its author wrote it.
extension JSONWalk {
  /// Where the part of `json` that this is at begins in `source`, which says the same in other
  /// words.
  func place(in source: Span<UInt8>, of json: [UInt8]) -> Int {
    var place = 0
    JSONScanner.skipWhitespace(in: source, at: &place)
    for (index, container) in containers.enumerated() {
      let isLast = index == containers.count - 1
      if isLast, isAtEnd(of: json) { return Self.end(of: source, from: place) }
      let next: Int?
      switch container {
      case .array(let element): next = Self.element(element, of: source, at: place)
      case .object(let key):
        let isHere = isLast && expectsKey
        let name = isHere ? offset..<Self.endOfScalar(in: json.span, from: offset) : key
        next = name.flatMap { Self.member(json[$0], of: source, at: place, isKey: isHere) }
      }
      guard let next else { return place }
      place = next
      JSONScanner.skipWhitespace(in: source, at: &place)
    }
    return place
  }

  /// Whether this is where a container ends, or the value does.
  private func isAtEnd(of json: [UInt8]) -> Bool {
    offset >= json.count || json[offset] == UInt8(ascii: "}") || json[offset] == UInt8(ascii: "]")
  }

  /// The last byte of the value that begins at `start`.
  private static func end(of source: Span<UInt8>, from start: Int) -> Int {
    var end = start
    return skipValue(in: source, at: &end, blanks: false) ? end - 1 : start
  }

  private static func element(_ index: Int, of source: Span<UInt8>, at start: Int) -> Int? {
    var place = start + 1
    for _ in 0..<index {
      guard skipValue(in: source, at: &place) else { return nil }
      guard place < source.count, source[place] == UInt8(ascii: ",") else { return place }
      place += 1
    }
    return place
  }

  /// - Parameters:
  ///   - name: in its quotes, as canonical JSON.
  ///   - isKey: whether the place of the name is wanted, and not that of its value.
  private static func member(
    _ name: ArraySlice<UInt8>, of source: Span<UInt8>, at start: Int, isKey: Bool
  ) -> Int? {
    var place = start + 1
    while true {
      JSONScanner.skipWhitespace(in: source, at: &place)
      guard place < source.count, source[place] == UInt8(ascii: "\"") else { return nil }
      let key = place
      let end = endOfScalar(in: source, from: key)
      let isIt = canonical(source.extracting(key..<end)) == Array(name)
      if isIt && isKey { return key }
      place = end
      JSONScanner.skipWhitespace(in: source, at: &place)
      place += 1
      if isIt { return place }
      guard skipValue(in: source, at: &place), place < source.count else { return nil }
      if source[place] == UInt8(ascii: ",") { place += 1 }
    }
  }

  /// Passes a value, and what is blank before and behind it.
  private static func skipValue(
    in source: Span<UInt8>, at place: inout Int, blanks: Bool = true
  ) -> Bool {
    JSONScanner.skipWhitespace(in: source, at: &place)
    guard (try? JSONScanner.skipValue(in: source, at: &place)) != nil else { return false }
    if blanks { JSONScanner.skipWhitespace(in: source, at: &place) }
    return true
  }

  private static func canonical(_ name: Span<UInt8>) -> [UInt8]? { try? CanonicalJSON.bytes(name) }
}

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
    return (try? JSONScanner.skipValue(in: source, at: &end)) == nil ? start : end - 1
  }

  /// Where an element of the array at `start` begins, or the closing bracket of a shorter one.
  private static func element(_ index: Int, of source: Span<UInt8>, at start: Int) -> Int? {
    var place = start
    for passed in 0...index {
      guard let isThere = try? JSONScanner.nextElement(in: source, at: &place) else { return nil }
      if !isThere { return place - 1 }
      if passed < index, (try? JSONScanner.skipValue(in: source, at: &place)) == nil { return nil }
    }
    return place
  }

  /// - Parameters:
  ///   - name: in its quotes, as canonical JSON.
  ///   - isKey: whether the place of the name is wanted, and not that of its value.
  private static func member(
    _ name: ArraySlice<UInt8>, of source: Span<UInt8>, at start: Int, isKey: Bool
  ) -> Int? {
    var place = start
    while let key = try? JSONScanner.nextKey(in: source, at: &place) {
      if canonical(source.extracting(key.quoted)) == Array(name) {
        return isKey ? key.quoted.lowerBound : place
      }
      guard (try? JSONScanner.skipValue(in: source, at: &place)) != nil else { return nil }
    }
    return nil
  }

  private static func canonical(_ name: Span<UInt8>) -> [UInt8]? { try? CanonicalJSON.bytes(name) }
}

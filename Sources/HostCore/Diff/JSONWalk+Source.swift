import CanonicalJSON

// Values are compared in canonical form. These functions find the difference in the source.
extension JSONWalk {
  /// The offset in `source` of the value that the walk has reached in `json`.
  ///
  /// - Parameters:
  ///   - source: the same value as `json`, as its author wrote it.
  ///   - json: the canonical JSON that was walked.
  func offset(in source: Span<UInt8>, of json: [UInt8]) -> Int {
    var result = 0
    JSONScanner.skipWhitespace(in: source, at: &result)
    for (index, container) in containers.enumerated() {
      let isLast = index == containers.count - 1
      if isLast, isAtEnd(of: json) { return Self.end(of: source, from: result) }
      let next: Int?
      switch container {
      case .array(let element): next = Self.element(element, of: source, at: result)
      case .object(let key):
        let isHere = isLast && expectsKey
        let name = isHere ? offset..<Self.endOfScalar(in: json.span, from: offset) : key
        next = name.flatMap { Self.member(json[$0], of: source, at: result, isKey: isHere) }
      }
      guard let next else { return result }
      result = next
      JSONScanner.skipWhitespace(in: source, at: &result)
    }
    return result
  }

  /// Whether the walk has reached the end of a container or of the whole value.
  private func isAtEnd(of json: [UInt8]) -> Bool {
    offset >= json.count || json[offset] == UInt8(ascii: "}") || json[offset] == UInt8(ascii: "]")
  }

  /// The offset of the last byte of the value that begins at `start`.
  private static func end(of source: Span<UInt8>, from start: Int) -> Int {
    var end = start
    return (try? JSONScanner.skipValue(in: source, at: &end)) == nil ? start : end - 1
  }

  /// The offset of an element of the array at `start`, or of the closing bracket if the array is
  /// too short.
  private static func element(_ index: Int, of source: Span<UInt8>, at start: Int) -> Int? {
    var offset = start
    for passed in 0...index {
      guard let isThere = try? JSONScanner.nextElement(in: source, at: &offset) else { return nil }
      if !isThere { return offset - 1 }
      if passed < index, (try? JSONScanner.skipValue(in: source, at: &offset)) == nil { return nil }
    }
    return offset
  }

  /// The offset of a member of the object at `start`.
  ///
  /// - Parameters:
  ///   - name: the name in its quotes, as canonical JSON.
  ///   - isKey: whether to return the offset of the name instead of the value's.
  private static func member(
    _ name: ArraySlice<UInt8>, of source: Span<UInt8>, at start: Int, isKey: Bool
  ) -> Int? {
    var offset = start
    while let key = try? JSONScanner.nextKey(in: source, at: &offset) {
      if canonical(source.extracting(key.quoted)) == Array(name) {
        return isKey ? key.quoted.lowerBound : offset
      }
      guard (try? JSONScanner.skipValue(in: source, at: &offset)) != nil else { return nil }
    }
    return nil
  }

  private static func canonical(_ name: Span<UInt8>) -> [UInt8]? { try? CanonicalJSON.bytes(name) }
}

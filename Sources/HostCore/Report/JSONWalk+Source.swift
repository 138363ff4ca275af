import CanonicalJSON

// A value is compared in canonical form, and shown where its author wrote it.
extension JSONWalk {
  /// Where the part of `json` that this is at begins in `source`, which says the same in other
  /// words; of a member that isn't there, where its object ends.
  func place(in source: Span<UInt8>, of json: [UInt8]) -> Int {
    var place = 0
    for (index, frame) in frames.enumerated() {
      JSONScanner.skipWhitespace(in: source, at: &place)
      let next: Int?
      switch frame {
      case .array(let element): next = Self.element(element, of: source, at: place)
      case .object(let key):
        let isHere = index == frames.count - 1 && expectsKey
        next = Self.member(
          isHere ? keyHere(in: json) : key.map { json[$0] }, of: source, at: place,
          isKey: isHere)
      }
      guard let next else { return place }
      place = next
    }
    JSONScanner.skipWhitespace(in: source, at: &place)
    return place
  }

  /// The name that begins here, if none ends the object.
  private func keyHere(in json: [UInt8]) -> ArraySlice<UInt8>? {
    guard offset < json.count, json[offset] == UInt8(ascii: "\"") else { return nil }
    return json[offset..<Self.endOfScalar(in: json.span, from: offset)]
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
  ///   - name: in its quotes, as canonical JSON; nil for the end of the object.
  ///   - isKey: whether the place of the name is wanted, and not that of its value.
  private static func member(
    _ name: ArraySlice<UInt8>?, of source: Span<UInt8>, at start: Int, isKey: Bool
  ) -> Int? {
    var place = start + 1
    while true {
      JSONScanner.skipWhitespace(in: source, at: &place)
      guard place < source.count else { return nil }
      guard source[place] == UInt8(ascii: "\"") else { return place }
      let key = place
      let end = endOfScalar(in: source, from: key)
      let isIt = name.map { canonical(source.extracting(key..<end)) == Array($0) } ?? false
      if isIt && isKey { return key }
      place = end
      JSONScanner.skipWhitespace(in: source, at: &place)
      place += 1
      if isIt { return place }
      guard skipValue(in: source, at: &place), place < source.count else { return nil }
      if source[place] == UInt8(ascii: ",") { place += 1 }
    }
  }

  /// Passes a value and what is blank behind it.
  private static func skipValue(in source: Span<UInt8>, at place: inout Int) -> Bool {
    JSONScanner.skipWhitespace(in: source, at: &place)
    guard (try? JSONScanner.skipValue(in: source, at: &place)) != nil else { return false }
    JSONScanner.skipWhitespace(in: source, at: &place)
    return true
  }

  private static func canonical(_ name: Span<UInt8>) -> [UInt8]? { try? CanonicalJSON.bytes(name) }
}

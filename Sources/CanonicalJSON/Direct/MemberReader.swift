import Basics

/// Reads the members of an object, each by its name.
///
/// It moves through canonical JSON from value to value. Members are found quickest in the order of
/// their names, in which canonical JSON has them.
public struct MemberReader {
  let json: [UInt8]
  /// Between values: at what comes after the last one that was read.
  private var offset = 0
  /// The brace of the object whose members are read.
  private var object = 0

  init(canonical json: [UInt8]) { self.json = json }

  /// Throws if there is no such member, or its value is of another type.
  public mutating func read<T: DirectJSON>(_ name: String) throws -> T {
    guard find(name) else { throw DirectMismatch() }
    return try value()
  }

  /// Nil if there is no such member, or it is null.
  public mutating func readIfPresent<T: DirectJSON>(_ name: String) throws -> T? {
    guard find(name), !readNull() else { return nil }
    return .some(try value())
  }

  // MARK: Members

  /// If this throws, an author may catch the error, and go on with another member.
  @inline(__always)
  private mutating func value<T: DirectJSON>() throws -> T {
    let outer = object
    do {
      return try T(from: &self)
    } catch {
      (offset, object) = (outer, outer)
      throw error
    }
  }

  /// Moves to the value of a member. If there is none, doesn't move and returns false.
  private mutating func find(_ name: String) -> Bool {
    let text = name.utf8.span
    if JSONScanner.endOfUnescaped(in: text, from: 0) == text.count { return find(text) }
    var quoted: [UInt8] = []
    CanonicalJSON.appendString(utf8: text, to: &quoted)
    return find(quoted.span.extracting(1..<(quoted.count - 1)))
  }

  private mutating func find(_ key: Span<UInt8>) -> Bool {
    guard let value = value(of: key, from: offset) ?? value(of: key, from: object) else {
      return false
    }
    offset = value
    return true
  }

  /// Where a member's value begins, among the members after a brace or comma.
  private func value(of key: Span<UInt8>, from start: Int) -> Int? {
    let json = json.span
    var position = start
    while Self.isBeforeMember(json, position) {
      let content = position + 2
      let end = content + key.count
      if end < json.count, json[end] == 0x22, json.extracting(content..<end).equals(key) {
        return end + 2
      }
      position += 1
      JSONScanner.skipCanonicalString(in: json, at: &position)
      let order = KeyOrder.compare(
        json.extracting(content..<(position - 1)), key, isEscaped: true)
      position += 1
      // Keys are sorted, so it doesn't come any more.
      if order > 0 { return nil }
      JSONScanner.skipCanonicalValue(in: json, at: &position)
    }
    return nil
  }

  @inline(__always)
  private static func isBeforeMember(_ json: Span<UInt8>, _ position: Int) -> Bool {
    (json[position] == 0x2C || json[position] == 0x7B) && json[position + 1] != 0x7D
  }

  // MARK: Containers

  /// Moves to an object's first member. Returns the object around it.
  mutating func beginObject() throws -> Int {
    guard json[offset] == 0x7B else { throw DirectMismatch() }
    let outer = object
    object = offset
    return outer
  }

  /// Moves past the object, with the members that nobody read.
  mutating func endObject(_ outer: Int) {
    object = outer
    offset = endOfObject()
  }

  private func endOfObject() -> Int {
    let json = json.span
    var position = offset
    while Self.isBeforeMember(json, position) {
      position += 1
      JSONScanner.skipCanonicalString(in: json, at: &position)
      position += 1
      JSONScanner.skipCanonicalValue(in: json, at: &position)
    }
    return position + (json[position] == 0x7D ? 1 : 2)
  }

  /// Moves to an array's first element, or past the array and returns false.
  mutating func beginArray() throws -> Bool {
    guard json[offset] == 0x5B else { throw DirectMismatch() }
    offset += 1
    if json[offset] != 0x5D { return true }
    offset += 1
    return false
  }

  /// Moves to the array's next element, or past the array and returns false.
  mutating func nextElement() -> Bool {
    offset += 1
    return json[offset - 1] == 0x2C
  }

  // MARK: Values

  mutating func readNull() -> Bool {
    guard json[offset] == 0x6E else { return false }
    offset += 4
    return true
  }

  mutating func scalar<T: JSONPrimitive>() throws -> T {
    let (scalar, end): (T?, Int) = scalar()
    guard let value = scalar else { throw DirectMismatch() }
    offset = end
    return value
  }

  @inline(__always)
  private func scalar<T: JSONPrimitive>() -> (value: T?, end: Int) {
    let json = json.span
    var end = offset
    JSONScanner.skipCanonicalScalar(in: json, at: &end)
    return (T(canonical: json.extracting(offset..<end)), end)
  }

  /// Does what `scalar` does, and looks at each byte once.
  mutating func string() throws -> String {
    guard let (text, end) = plainString() else { return try scalar() }
    offset = end
    return text
  }

  /// A string without escapes; nil for any other value.
  @inline(__always)
  private func plainString() -> (text: String, end: Int)? {
    let json = json.span
    guard json[offset] == 0x22 else { return nil }
    let end = JSONScanner.endOfUnescaped(in: json, from: offset + 1)
    guard json[end] == 0x22 else { return nil }
    return (String(repairing: json.extracting((offset + 1)..<end)), end + 1)
  }

  mutating func codable<T: Codable>() throws -> T {
    let (value, end): (T, Int) = try codable()
    offset = end
    return value
  }

  private func codable<T: Codable>() throws -> (value: T, end: Int) {
    let json = json.span
    var end = offset
    JSONScanner.skipCanonicalValue(in: json, at: &end)
    return (try JSONCoding.decode(T.self, from: json.extracting(offset..<end)), end)
  }
}

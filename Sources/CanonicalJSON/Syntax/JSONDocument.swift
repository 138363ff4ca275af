import Basics

/// A document of canonical bytes with an index of its values.
///
/// Canonical bytes are valid and have neither whitespace nor duplicate keys, so one quick pass over
/// the structure finds all values. The index is in document order: a container is followed by its
/// contents.
@safe final class JSONDocument {
  struct Value {
    /// Where the content of a member's key begins; it ends two bytes before the value.
    var keyStart: Int
    var start: Int
    var end = 0
    /// The index of the first value after this one and its contents.
    var next: Int
    /// For an object, the index of the member after the one found last. The next search begins
    /// there.
    var hint: Int

    var key: Range<Int> { keyStart..<(start - 2) }
    var range: Range<Int> { start..<end }
  }

  let bytes: [UInt8]
  /// Plain memory, because each access to an array in a class is checked for exclusivity.
  private let values: UnsafeMutableBufferPointer<Value>

  init(canonical bytes: [UInt8]) {
    self.bytes = bytes
    unsafe values = Self.index(bytes.span)
  }

  deinit { unsafe values.deallocate() }

  subscript(index: Int) -> Value {
    unsafe precondition(index < values.count)
    return unsafe values[index]
  }

  // MARK: Reading

  /// The first byte of a value.
  func opening(_ index: Int) -> UInt8 { bytes[self[index].start] }

  /// The JSON of a value.
  func text(_ index: Int) -> String {
    let bytes = bytes
    return String(repairing: bytes.span.extracting(self[index].range))
  }

  /// The name of a member.
  func name(_ index: Int) -> String {
    let bytes = bytes
    return String(jsonContent: bytes.span.extracting(self[index].key))
  }

  /// The index of an object's member.
  func member(_ name: String, of object: Int) -> Int? {
    let text = name.utf8.span
    if JSONScanner.endOfUnescaped(in: text, from: 0) == text.count {
      return member(text, of: object)
    }
    var quoted: [UInt8] = []
    CanonicalJSON.appendString(utf8: text, to: &quoted)
    return member(quoted.span.extracting(1..<(quoted.count - 1)), of: object)
  }

  /// Finds a member by the canonical content of its key. Equal canonical keys have equal bytes.
  private func member(_ key: Span<UInt8>, of object: Int) -> Int? {
    let (end, hint) = (self[object].next, self[object].hint)
    let found = member(key, from: hint, to: end) ?? member(key, from: object + 1, to: hint)
    if let found { unsafe values[object].hint = self[found].next }
    return found
  }

  private func member(_ key: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    let bytes = bytes
    var index = start
    while index < end {
      let candidate = self[index].key
      if bytes.span.extracting(candidate).equals(key) { return index }
      index = self[index].next
    }
    return nil
  }

  // MARK: Indexing

  private static func index(_ bytes: Span<UInt8>) -> UnsafeMutableBufferPointer<Value> {
    var values = UnsafeMutableBufferPointer<Value>.allocate(capacity: bytes.count / 12 + 4)
    var count = 0
    var offset = 0
    // Open containers are linked by `next`.
    var container = -1
    repeat {
      var keyStart = 0
      if container >= 0, bytes[unsafe values[container].start] == 0x7B {
        keyStart = offset + 1
        JSONScanner.skipCanonicalString(in: bytes, at: &offset)
        offset += 1
      }
      if count == values.count { unsafe values = grown(values) }
      let index = count
      count += 1
      unsafe values.initializeElement(
        at: index,
        to: Value(keyStart: keyStart, start: offset, next: count, hint: count))
      let first = bytes[offset]
      if first == 0x7B || first == 0x5B {
        unsafe values[index].next = container
        container = index
        offset += 1
        if bytes[offset] != first + 2 { continue }
      } else {
        JSONScanner.skipCanonicalScalar(in: bytes, at: &offset)
        unsafe values[index].end = offset
      }
      while container >= 0, bytes[offset] != 0x2C {
        offset += 1
        unsafe values[container].end = offset
        unsafe (container, values[container].next) = (values[container].next, count)
      }
      offset += 1
    } while container >= 0
    return unsafe values
  }

  private static func grown(
    _ values: UnsafeMutableBufferPointer<Value>
  ) -> UnsafeMutableBufferPointer<Value> {
    let larger = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count * 2)
    _ = unsafe larger.moveInitialize(fromContentsOf: values)
    unsafe values.deallocate()
    return unsafe larger
  }
}

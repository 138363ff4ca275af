/// Builds canonical JSON as an encoder's containers are filled.
///
/// Values are written straight into the writer's output. Each value being encoded has a frame, and
/// its containers write only while that frame is on top. A container that may be filled at any time
/// (a nested one or a super encoder) has its own builder, whose bytes are inserted at the end.
package final class JSONBuilder {
  private struct Deferred {
    /// The depth of the container it belongs to.
    var depth: Int
    /// For an element, its index.
    var key: any CodingKey
    var builder: JSONBuilder
  }

  private(set) var writer = JSONWriter()
  private var deferred: [Deferred] = []
  private let basePath: [any CodingKey]
  private let baseDepth: Int

  init(basePath: [any CodingKey], baseDepth: Int = 0) {
    self.basePath = basePath
    self.baseDepth = baseDepth
  }

  func swapOutput(_ output: inout [UInt8]) { swap(&writer.output, &output) }

  /// Whether it holds little memory once it has written a value.
  var isSmall: Bool { writer.isSmall }

  func truncate(to end: Int) { writer.output.removeLast(writer.output.count - end) }

  // MARK: Values

  /// Appends any value. The most frequent types don't take the detour through `encode(to:)`.
  @specialized(where T == String)
  @specialized(where T == Int)
  @specialized(where T == Double)
  @specialized(where T == Bool)
  func append<T: Encodable>(_ value: T) throws {
    if T.self == String.self { return try appendPrimitive(sameType(value, as: String.self)) }
    if T.self == Int.self { return try appendPrimitive(sameType(value, as: Int.self)) }
    if T.self == Double.self { return try appendPrimitive(sameType(value, as: Double.self)) }
    if T.self == Bool.self { return try appendPrimitive(sameType(value, as: Bool.self)) }
    if let type = FoundationType.of(T.self) { return try append(value, of: type) }
    let depth = try beginFrame()
    try value.encode(to: ValueEncoder(builder: self, depth: depth))
    try endFrame()
  }

  private func append(_ value: Any, of type: FoundationType) throws {
    guard let scalar = value as? any FoundationScalar else { throw invalid(value, type.refusal) }
    guard let json = scalar.json else { throw notANumber(value) }
    try appendPrimitive(json)
  }

  private func appendPrimitive<T: JSONPrimitive>(_ value: T) throws {
    if !value.appendCanonical(to: &writer.output) { throw notANumber(value) }
  }

  private func notANumber(_ value: Any, _ slot: JSONWriter.Slot = .single) -> EncodingError {
    invalid(value, "JSON has no number for \(value)", slot)
  }

  /// The error for a value in a slot of the frame on top, or for the value being written.
  private func invalid(
    _ value: Any, _ reason: String, _ slot: JSONWriter.Slot = .single
  ) -> EncodingError {
    let path =
      switch slot {
      case .single: codingPath(depth: writer.depth + 1)
      case .element:
        codingPath(depth: writer.depth) + [JSONCodingKey(index: writer.count(depth: writer.depth))]
      case .member(let name):
        codingPath(depth: writer.depth) + [JSONCodingKey(stringValue: name)]
      }
    return .invalidValue(
      value, EncodingError.Context(codingPath: path, debugDescription: describe(reason, at: path)))
  }

  // MARK: Frames

  private func beginFrame() throws -> Int {
    let depth = writer.beginFrame()
    // One more than the limit for containers, because a scalar has a frame too.
    guard baseDepth + depth <= JSONScanner.maxDepth + 1 else { throw tooDeep() }
    return depth
  }

  private func tooDeep() -> EncodingError {
    invalid("", "the value is nested deeper than \(JSONScanner.maxDepth) levels; is it cyclic?")
  }

  private func endFrame() throws {
    guard writer.top.kind == .single || baseDepth + writer.depth <= JSONScanner.maxDepth else {
      throw tooDeep()
    }
    if writer.top.hasDeferred { try insertDeferred() }
    if let key = writer.endFrame() { throw invalid("", "the key \(key) was encoded twice") }
  }

  /// The bytes of a builder whose only frame is still open.
  private func finish() throws -> [UInt8] {
    try endFrame()
    return writer.output
  }

  // MARK: Containers

  /// Opens the frame's container, or continues it if it is of the same kind.
  func open(_ kind: JSONWriter.Kind, depth: Int) { writer.open(kind, depth: depth) }

  /// Writes a scalar. It is here, and not in the generic container, to be compiled for each scalar
  /// type.
  func append<T: JSONPrimitive>(_ value: T, _ slot: JSONWriter.Slot, depth: Int) throws {
    guard writer.append(value, slot, depth: depth) else { throw notANumber(value, slot) }
  }

  /// Writes a `JSONValue`. Its containers have no frames, so their depth is checked here.
  func appendDynamic(_ value: JSONValue, depth: Int) throws {
    if value.isDeeper(than: JSONScanner.maxDepth - (baseDepth + depth - 1)) { throw tooDeep() }
    try append(value, .single, depth: depth)
  }

  /// Appends a value. If that throws, removes what was written for it, so that an author who
  /// catches the error can go on encoding.
  func appendAny<T: Encodable>(_ value: T, _ slot: JSONWriter.Slot, depth: Int) throws {
    let mark = writer.begin(slot, depth: depth)
    do {
      try append(value)
    } catch {
      writer.rollBack(to: mark, depth: depth)
      deferred.removeAll { $0.depth > depth }
      throw error
    }
  }

  // MARK: Deferred parts

  func deferMember(_ key: any CodingKey, depth: Int) -> ValueEncoder {
    writer.open(.object, depth: depth)
    return deferPart(at: key, depth: depth)
  }

  func deferElement(depth: Int) -> ValueEncoder {
    writer.open(.array, depth: depth)
    return deferPart(at: JSONCodingKey(index: writer.count(depth: depth)), depth: depth)
  }

  private func deferPart(at key: any CodingKey, depth: Int) -> ValueEncoder {
    let builder = JSONBuilder(
      basePath: codingPath(depth: depth) + [key], baseDepth: baseDepth + depth)
    writer.deferPart()
    deferred.append(Deferred(depth: depth, key: key, builder: builder))
    return ValueEncoder(builder: builder, depth: builder.writer.beginFrame())
  }

  /// Inserts everything that the frame on top deferred.
  private func insertDeferred() throws {
    let depth = writer.depth
    let parts = deferred.filter { $0.depth == depth }
    deferred.removeAll { $0.depth == depth }
    if writer.top.kind == .array { return try insertElements(parts) }
    for part in parts {
      _ = writer.begin(.member(part.key.stringValue), depth: depth)
      writer.output.append(contentsOf: try part.builder.finish())
    }
  }

  private func insertElements(_ parts: [Deferred]) throws {
    let start = writer.top.start
    let written = writer.output
    var offset = start
    var rebuilt: [UInt8] = [0x5B]
    var parts = parts[...]
    for index in 0..<writer.top.count {
      if index > 0 { rebuilt.append(0x2C) }
      if let next = parts.first, next.key.intValue == index {
        rebuilt.append(contentsOf: try next.builder.finish())
        parts.removeFirst()
      } else {
        _ = try JSONScanner.nextElement(in: written.span, at: &offset)
        let element = offset
        _ = try JSONScanner.skipValue(in: written.span, at: &offset)
        rebuilt.append(contentsOf: written[element..<offset])
      }
    }
    writer.output.replaceSubrange(start..., with: rebuilt)
  }

  // MARK: Coding path

  /// The path to the value of the frame at `depth`, read back from the output.
  func codingPath(depth: Int) -> [any CodingKey] {
    var path = basePath
    for frame in writer.frames.prefix(max(depth - 1, 0)) {
      switch frame.kind {
      case .none, .single: break
      case .array: path.append(JSONCodingKey(index: max(frame.count - 1, 0)))
      case .object:
        let output = writer.output
        var offset = frame.current
        if let name = try? JSONValue.parseString(output.span, at: &offset) {
          path.append(JSONCodingKey(stringValue: name))
        }
      }
    }
    return path
  }
}

/// Writes the members of an object, in any order.
///
/// Members that are written in the order of their names needn't be sorted.
public struct MemberWriter {
  var output: [UInt8] = []
  private var members = MemberTable()
  /// How many containers are open.
  private var depth = 0

  init() {}

  var isSmall: Bool { members.isSmall }

  /// Throws if JSON can't express the value. Then nothing was written, and an author may go on.
  public mutating func write<T: DirectJSON>(_ name: String, _ value: T) throws {
    let (start, outer) = (output.count, depth)
    begin(name)
    do {
      try value.write(to: &self)
    } catch {
      output.removeLast(output.count - start)
      members.discard(from: start)
      depth = outer
      throw error
    }
  }

  /// Leaves out nil.
  public mutating func writeIfPresent<T: DirectJSON>(_ name: String, _ value: T?) throws {
    if let value { try write(name, value) }
  }

  private mutating func begin(_ name: String) {
    separate()
    let start = output.count
    CanonicalJSON.appendName(name, to: &output)
    members.add(key: start..<(output.count - 1), origin: start)
  }

  // MARK: Containers

  mutating func beginObject() throws -> MemberTable.Object {
    try nest()
    let object = members.beginObject(at: output.count)
    output.append(0x7B)
    return object
  }

  mutating func endObject(_ object: MemberTable.Object) throws {
    output.append(0x7D)
    depth -= 1
    // Of a repeated key.
    if members.endObject(object, in: &output) != nil { throw DirectMismatch() }
  }

  mutating func beginArray() throws {
    try nest()
    output.append(0x5B)
  }

  mutating func endArray() {
    output.append(0x5D)
    depth -= 1
  }

  private mutating func nest() throws {
    depth += 1
    guard depth <= JSONScanner.maxDepth else { throw DirectMismatch() }
  }

  /// Writes a comma, except for the first element or member. No value ends with an opening bracket.
  @inline(__always)
  mutating func separate() {
    if output[output.count - 1] | 0x20 != 0x7B { output.append(0x2C) }
  }

  // MARK: Values

  mutating func appendNull() { output.append(contentsOf: "null".utf8) }

  mutating func append<T: JSONPrimitive>(_ value: T) throws {
    guard value.appendCanonical(to: &output) else { throw DirectMismatch() }
  }

  mutating func appendCodable<T: Codable>(_ value: T) throws {
    let builder = JSONBuilder(basePath: [], baseDepth: depth)
    builder.swapOutput(&output)
    defer { builder.swapOutput(&output) }
    try builder.append(value)
  }
}

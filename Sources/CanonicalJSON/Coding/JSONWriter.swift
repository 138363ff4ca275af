/// The state of a builder: the output, and a frame for each value being written.
///
/// A struct of its own, so that a call from the builder costs a single exclusivity check.
struct JSONWriter {
  enum Kind { case none, single, object, array }

  struct Frame {
    var kind = Kind.none
    var start: Int
    var object: MemberTable.Object
    var count = 0
    /// The offset of the key written last, for the coding path.
    var current = 0
    var hasDeferred = false
  }

  enum End {
    case closed
    /// Not closed yet: the deferred parts must be inserted first.
    case deferred
    /// A key was written twice. It is given as JSON.
    case duplicate(String)
  }

  /// What to go back to when a member or an element fails.
  struct Mark {
    fileprivate var end: Int
    fileprivate var count: Int
    fileprivate var kind: Kind
  }

  var output: [UInt8] = []
  /// How many values are being written.
  private(set) var depth = 0
  /// The innermost of them. Meaningless at depth 0.
  private(set) var top: Frame
  private var outer: [Frame] = []
  private var members = MemberTable()

  init() {
    top = Frame(kind: .single, start: 0, object: members.beginObject(at: 0))
  }

  /// The frames of the values being written, outermost first.
  var frames: [Frame] { depth == 0 ? [] : outer + [top] }

  func count(depth: Int) -> Int { depth == self.depth ? top.count : outer[depth - 1].count }

  // MARK: Frames

  mutating func beginFrame() -> Int {
    if depth > 0 { outer.append(top) }
    depth += 1
    top = Frame(start: output.count, object: members.beginObject(at: output.count))
    return depth
  }

  /// Closes the container of the frame on top. A value that wrote nothing becomes an empty object.
  mutating func endFrame() -> End {
    if top.hasDeferred { return .deferred }
    switch top.kind {
    case .single: break
    case .none: output.append(contentsOf: "{}".utf8)
    case .array: output.append(0x5D)
    case .object:
      output.append(0x7D)
      if let duplicate = members.endObject(top.object, in: &output) {
        return .duplicate(duplicate.key)
      }
    }
    depth -= 1
    if depth > 0 { top = outer.removeLast() }
    return .closed
  }

  /// Opens the frame's container, or continues it if it is of the same kind.
  mutating func open(_ kind: Kind, depth: Int) {
    checkTop(depth)
    if top.kind == kind, kind != .single { return }
    precondition(top.kind == .none, "One value can't be both \(top.kind) and \(kind)")
    top.kind = kind
    switch kind {
    case .object: output.append(0x7B)
    case .array: output.append(0x5B)
    case .none, .single: break
    }
  }

  @inline(__always)
  private func checkTop(_ depth: Int) {
    precondition(depth == self.depth, "A container was used after its value had been encoded")
  }

  // MARK: Members and elements

  /// Writes a comma if one is needed, the key, and the colon.
  @inline(__always)
  mutating func beginMember(_ name: String, depth: Int) -> Mark {
    checkTop(depth)
    let mark = Mark(end: output.count, count: top.count, kind: top.kind)
    if top.count > 0 { output.append(0x2C) }
    let start = output.count
    CanonicalJSON.appendString(name, to: &output)
    members.add(key: start..<output.count, origin: start)
    output.append(0x3A)
    top.count += 1
    top.current = start
    return mark
  }

  @inline(__always)
  mutating func beginElement(depth: Int) -> Mark {
    checkTop(depth)
    let mark = Mark(end: output.count, count: top.count, kind: top.kind)
    if output.count > top.start + 1 { output.append(0x2C) }
    top.count += 1
    return mark
  }

  /// Makes the frame on top wait for a part that is inserted later.
  mutating func deferPart() {
    top.hasDeferred = true
    if top.kind == .array { top.count += 1 }
  }

  mutating func endDeferring() { top.hasDeferred = false }

  /// Removes everything that was written since the mark.
  mutating func rollBack(to mark: Mark, depth: Int) {
    output.removeLast(output.count - mark.end)
    members.discard(from: mark.end)
    while self.depth > depth {
      self.depth -= 1
      if self.depth > 0 { top = outer.removeLast() }
    }
    top.count = mark.count
    top.kind = mark.kind
  }

  /// Writes a whole member. Returns false if JSON can't express the value.
  @inline(__always)
  mutating func appendMember<T: JSONPrimitive>(_ value: T, _ name: String, depth: Int) -> Bool {
    let mark = beginMember(name, depth: depth)
    if value.appendCanonical(to: &output) { return true }
    rollBack(to: mark, depth: depth)
    return false
  }

  /// Writes a whole element. Returns false if JSON can't express the value.
  @inline(__always)
  mutating func appendElement<T: JSONPrimitive>(_ value: T, depth: Int) -> Bool {
    let mark = beginElement(depth: depth)
    if value.appendCanonical(to: &output) { return true }
    rollBack(to: mark, depth: depth)
    return false
  }

  mutating func appendNull(_ name: String, depth: Int) {
    _ = beginMember(name, depth: depth)
    output.append(contentsOf: "null".utf8)
  }

  mutating func appendNull(depth: Int) {
    _ = beginElement(depth: depth)
    output.append(contentsOf: "null".utf8)
  }

  mutating func appendSingleNull(depth: Int) {
    open(.single, depth: depth)
    output.append(contentsOf: "null".utf8)
  }

  mutating func beginSingle(depth: Int) -> Mark {
    let mark = Mark(end: output.count, count: top.count, kind: top.kind)
    open(.single, depth: depth)
    return mark
  }

  /// Writes a whole value that is a scalar. Returns false if JSON can't express it.
  @inline(__always)
  mutating func appendSingle<T: JSONPrimitive>(_ value: T, depth: Int) -> Bool {
    let mark = beginSingle(depth: depth)
    if value.appendCanonical(to: &output) { return true }
    rollBack(to: mark, depth: depth)
    return false
  }
}

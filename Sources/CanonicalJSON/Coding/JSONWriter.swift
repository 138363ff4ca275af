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

  /// Where a value goes in the frame on top.
  enum Slot {
    /// It is the frame's whole value, and no container.
    case single
    case element
    case member(String)
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

  var isSmall: Bool { members.isSmall }

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
  ///
  /// Returns a key that was written twice, as JSON, if there is one.
  mutating func endFrame() -> String? {
    switch top.kind {
    case .single: break
    case .none: output.append(contentsOf: "{}".utf8)
    case .array: output.append(0x5D)
    case .object:
      output.append(0x7D)
      if let duplicate = members.endObject(top.object, in: &output) { return duplicate.key }
    }
    depth -= 1
    if depth > 0 { top = outer.removeLast() }
    return nil
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

  // MARK: Values

  /// Writes what comes before an element or a member: a comma if one is needed, and the key and the
  /// colon of a member.
  @inline(__always)
  mutating func begin(_ slot: Slot, depth: Int) -> Mark {
    let mark = Mark(end: output.count, count: top.count, kind: top.kind)
    if case .single = slot {
      open(.single, depth: depth)
      return mark
    }
    checkTop(depth)
    if output.count > top.start + 1 { output.append(0x2C) }
    top.count += 1
    if case .member(let name) = slot {
      let start = output.count
      CanonicalJSON.appendName(name, to: &output)
      members.add(key: start..<(output.count - 1), origin: start)
      top.current = start
    }
    return mark
  }

  @inline(__always)
  private func checkTop(_ depth: Int) {
    precondition(depth == self.depth, "A container was used after its value had been encoded")
  }

  /// Makes the frame on top wait for a part that is inserted later.
  mutating func deferPart() {
    top.hasDeferred = true
    if top.kind == .array { top.count += 1 }
  }

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

  /// Writes a whole value. Returns false if JSON can't express it.
  @inline(__always)
  mutating func append<T: JSONPrimitive>(_ value: T, _ slot: Slot, depth: Int) -> Bool {
    let mark = begin(slot, depth: depth)
    if value.appendCanonical(to: &output) { return true }
    rollBack(to: mark, depth: depth)
    return false
  }
}

/// Finds the path to an offset in a JSON document: which member of which element it is in.
///
/// Text that isn't JSON gives a meaningless path, but never traps.
struct JSONWalk {
  enum Container {
    case object(key: Range<Int>?)
    case array(index: Int)
  }

  /// The containers around the offset, outermost first, each with the member or element reached.
  private(set) var containers: [Container] = []
  /// The offset that the walk has reached. Within a scalar or a name, it is its start.
  private(set) var offset: Int
  /// Whether a name or the end of an object comes next.
  private(set) var expectsKey = false
  /// The offset of the scalar that was just passed.
  private(set) var lastScalar: Int?

  init(from offset: Int = 0) {
    self.offset = offset
  }

  var isInObject: Bool { if case .object = containers.last { true } else { false } }

  /// The index in the innermost container; nil if that isn't an array.
  var index: Int? { if case .array(let index) = containers.last { index } else { nil } }

  /// Walks to `target`, or to the start of the scalar that contains it.
  mutating func advance(to target: Int, in json: Span<UInt8>) {
    while offset < min(target, json.count) {
      switch json[offset] {
      case UInt8(ascii: "{"): enter(.object(key: nil), expectsKey: true)
      case UInt8(ascii: "["): enter(.array(index: 0), expectsKey: false)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): leave()
      case UInt8(ascii: ","): next()
      case UInt8(ascii: ":"):
        expectsKey = false
        offset += 1
      case 0x20, 0x0a: offset += 1
      default:
        let end = Self.endOfScalar(in: json, from: offset)
        guard end <= target else { return }
        if expectsKey, isInObject {
          containers[containers.count - 1] = .object(key: offset..<end)
        } else {
          lastScalar = offset
        }
        offset = end
      }
    }
  }

  private mutating func enter(_ container: Container, expectsKey: Bool) {
    containers.append(container)
    self.expectsKey = expectsKey
    lastScalar = nil
    offset += 1
  }

  private mutating func leave() {
    _ = containers.popLast()
    expectsKey = false
    lastScalar = nil
    offset += 1
  }

  private mutating func next() {
    if let index { containers[containers.count - 1] = .array(index: index + 1) }
    expectsKey = isInObject
    lastScalar = nil
    offset += 1
  }

  static func endOfScalar(in json: Span<UInt8>, from start: Int) -> Int {
    guard json[start] == UInt8(ascii: "\"") else {
      var end = start + 1
      while end < json.count, isScalar(json[end]) { end += 1 }
      return end
    }
    var from = start + 1
    while let quote = json.firstIndex(of: UInt8(ascii: "\""), from: from) {
      var backslashes = 0
      while json[quote - 1 - backslashes] == UInt8(ascii: "\\") { backslashes += 1 }
      if backslashes.isMultiple(of: 2) { return quote + 1 }
      from = quote + 1
    }
    return json.count
  }

  /// Whether a byte is part of a number, `true`, `false` or `null`.
  static func isScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The path to the current value, as in `[3].title`, or to the container that it is in.
  func path(in json: [UInt8], toContainer: Bool) -> String {
    var path = ""
    for container in toContainer ? containers.dropLast() : containers[...] {
      switch container {
      case .array(let index): path += "[\(index)]"
      case .object(nil): break
      case .object(let key?):
        let name = json[key].dropFirst().dropLast()
        let isPlain = name.allSatisfy { Self.isScalar($0) && $0 != UInt8(ascii: ".") || $0 == 0x5f }
        path +=
          isPlain && !name.isEmpty
          ? "." + VisibleText.cut(name, columns: 40, counts: false)
          : "[" + VisibleText.cut(json[key], columns: 40, counts: false) + "]"
      }
    }
    return path
  }
}

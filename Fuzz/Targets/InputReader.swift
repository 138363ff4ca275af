/// Takes choices from an input, one after another, and zeros once it is used up.
struct InputReader {
  private var rest: ArraySlice<UInt8>

  init(_ input: [UInt8]) { rest = input[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A number below `bound`, which is at least 1 and at most 256.
  mutating func number(below bound: Int) -> Int { Int(byte()) % bound }

  mutating func choice<Element>(of elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// Up to 255 bytes, with their count before them.
  mutating func bytes() -> [UInt8] {
    let count = Int(byte())
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// All that is left.
  mutating func remaining() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  /// Eight bytes.
  mutating func word() -> UInt64 { (0..<8).reduce(0) { value, _ in value << 8 | UInt64(byte()) } }

  /// Another number in place of a true one: near it, or any.
  mutating func lie(about number: UInt64) -> UInt64 {
    let byte = byte()
    return switch byte {
    case 0..<128: number &+ UInt64(byte) &- 3
    case 128..<192: .max >> UInt64(byte - 128)
    default: word()
    }
  }
}

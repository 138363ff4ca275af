import CanonicalJSON
import Testing

struct JSONNestingTests {
  /// An object in an object, and so on.
  private final class Box: Encodable {
    var inner: Box?
    init(inner: Box? = nil) { self.inner = inner }

    static func nested(_ count: Int) -> Box {
      (1..<count).reduce(Box()) { box, _ in Box(inner: box) }
    }
  }

  private struct Holder: Encodable { var value: JSONValue }

  private func arrays(_ count: Int) -> JSONValue {
    (1..<count).reduce(JSONValue.array([])) { value, _ in .array([value]) }
  }

  @Test func `writes as many levels as it reads, and no more`() throws {
    _ = try canonical(try encoded(Box.nested(256)))
    #expect(throws: EncodingError.self) { try encoded(Box.nested(257)) }
    _ = try canonical(try encoded(Holder(value: arrays(255))))
    #expect(throws: EncodingError.self) { try encoded(Holder(value: arrays(256))) }
    _ = try canonical(try encoded(arrays(256)))
    #expect(throws: EncodingError.self) { try encoded(arrays(257)) }
  }
}

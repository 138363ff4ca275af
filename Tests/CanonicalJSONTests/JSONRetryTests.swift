import CanonicalJSON
import Testing

struct JSONRetryTests {
  /// Encodes as a number if there is one for it, else as a text.
  private struct Lenient: Encodable {
    var value: Double

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      do {
        try container.encode(value)
      } catch {
        try container.encode("\(value)")
      }
    }
  }

  /// The same by way of a value that fails in the middle of what it writes.
  private struct LenientPair: Encodable {
    var value: [Double]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      do {
        try container.encode(value)
      } catch {
        try container.encode(value.map { "\($0)" })
      }
    }
  }

  @Test func `a single value that failed can be encoded as another`() throws {
    #expect(try encoded([Lenient(value: 1), Lenient(value: .infinity)]) == #"[1,"inf"]"#)
    #expect(try encoded([LenientPair(value: [1, .infinity])]) == #"[["1.0","inf"]]"#)
  }
}

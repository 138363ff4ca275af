import Basics
import Testing

struct NumberTests {
  // The values of the reference implementations.
  @Test func `SplitMix64 gives the numbers that everybody's gives`() {
    var generator = SplitMix64(seed: 1_234_567)
    let first = (0..<3).map { _ in generator.next() }
    #expect(
      first == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
    var third = SplitMix64(seed: 1_234_567, skipping: 2)
    #expect(third.next() == first[2])
  }

  @Test(
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func `FNV-1a gives the hash that everybody's gives`(_ text: String, _ value: UInt64) {
    var hash = FNV1a()
    for byte in text.utf8 { hash.combine(byte) }
    #expect(hash.value == value)
  }

  @Test func `a heap gives its least element first, whatever is changed`() {
    var heap = BinaryHeap([5, 3, 8, 1, 4])
    heap.removeAll { $0 == 3 }
    heap.insert(2)
    heap.updateFirst { $0 = 6 }
    var elements: [Int] = []
    while let first = heap.first {
      elements.append(first)
      heap.removeFirst()
    }
    #expect(elements == [2, 4, 5, 6, 8])
  }

  @Test(arguments: [0, 1, 9, 10, 99, 100, 12_345, .max / 10, .max / 10 + 1, .max] as [UInt64])
  func `writes integers in digits`(_ value: UInt64) {
    var bytes: [UInt8] = []
    DecimalDigits.append(value, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "\(value)")
  }
}

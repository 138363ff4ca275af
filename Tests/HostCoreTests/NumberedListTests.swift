import Basics
import Testing

@testable import HostCore

struct NumberedListTests {
  @Test func `it holds what is left, in order, whatever is removed`() {
    var random = SplitMix64(seed: 5)
    var list = NumberedList<String>()
    var expected: [(number: Int32, element: String)] = []
    for number in Int32(0)..<2000 {
      list.append("\(number)", number: number)
      expected.append((number, "\(number)"))
      // More are removed than stay, from both ends and between.
      while !expected.isEmpty, Int.random(in: 0..<10, using: &random) < 5 {
        let index = Int.random(in: 0..<expected.count, using: &random)
        list.remove(expected[index].number)
        // What is gone can't be removed again.
        list.remove(expected[index].number)
        expected.remove(at: index)
      }
      #expect(list.count == expected.count)
      #expect(list.isEmpty == expected.isEmpty)
      #expect(list.first == expected.first?.element)
      #expect(Array(list) == expected.map(\.element))
      let any = Int32.random(in: -1...number + 1, using: &random)
      #expect(list[any] == expected.first { $0.number == any }?.element)
    }
    list.remove(5000)
    #expect(list.count == expected.count)
  }

  @Test func `the number of a last element that is gone can be used again`() {
    var list = NumberedList<String>()
    list.append("zero", number: 0)
    for (number, element) in [(Int32(1), "refused"), (2, "refused, too")] {
      list.append(element, number: number)
    }
    list.remove(1)
    list.remove(2)
    list.append("one", number: 1)
    #expect(Array(list) == ["zero", "one"])
    list.remove(1)
    #expect(Array(list) == ["zero"])
    list.remove(0)
    #expect(list.isEmpty)
    list.append("again", number: 0)
    #expect(list.first == "again")
  }
}

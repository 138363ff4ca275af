/// Elements with ascending numbers, of which any can be removed. That takes as long among many as
/// among few.
package struct NumberedList<Element>: Sequence {
  /// The numbers of all elements, also of some that are gone; never of gone ones at the end.
  private var numbers: [Int32] = []
  /// The elements with these numbers; nil for those that are gone.
  private var places: [Element?] = []
  /// The index of the first one that isn't gone.
  private var start = 0
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }
  package var first: Element? { isEmpty ? nil : places[start] }

  /// The element with a number; nil if there is none.
  subscript(number: Int32) -> Element? {
    let index = numbers.partitionIndex { $0 >= number }
    return index < numbers.count && numbers[index] == number ? places[index] : nil
  }

  /// Adds an element, whose number is above those of all others that are there.
  mutating func append(_ element: Element, number: Int32) {
    numbers.append(number)
    places.append(element)
    count += 1
  }

  /// Removes the element with a number, if there is one.
  mutating func remove(_ number: Int32) {
    let index = numbers.partitionIndex { $0 >= number }
    guard numbers.indices.contains(index), numbers[index] == number, places[index] != nil else {
      return
    }
    places[index] = nil
    count -= 1
    // The number of the last one may be used again.
    while let last = numbers.indices.last, places[last] == nil {
      numbers.removeLast()
      places.removeLast()
    }
    start = Swift.min(start, places.count)
    while start < places.count, places[start] == nil { start += 1 }
    if places.count > 2 * count + 16 { removeGaps() }
  }

  private mutating func removeGaps() {
    let living = places.indices.filter { places[$0] != nil }
    numbers = living.map { numbers[$0] }
    places = living.map { places[$0] }
    start = 0
  }

  package func makeIterator() -> Iterator { Iterator(places: places, index: start) }

  package struct Iterator: IteratorProtocol {
    fileprivate let places: [Element?]
    fileprivate var index: Int

    package mutating func next() -> Element? {
      while index < places.count {
        defer { index += 1 }
        if let place = places[index] { return place }
      }
      return nil
    }
  }
}

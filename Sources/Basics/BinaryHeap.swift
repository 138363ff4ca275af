/// A binary heap with the least element at its root.
///
/// Other modules use it specialized for their type of elements, which the compiler does only for
/// package types that are `@usableFromInline`.
@usableFromInline package struct BinaryHeap<Element: Comparable> {
  @usableFromInline var elements: [Element]

  @inlinable package init(_ elements: [Element] = []) {
    self.elements = elements
    heapify()
  }

  @inlinable package var count: Int { elements.count }

  /// The least element.
  @inlinable package var first: Element? { elements.first }

  @inlinable package mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes the least element of a heap that isn't empty.
  @inlinable package mutating func removeFirst() {
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    siftDown(from: 0)
  }

  /// Changes the least element of a heap that isn't empty, and moves it where it belongs.
  @inlinable package mutating func updateFirst(_ change: (inout Element) -> Void) {
    change(&elements[0])
    siftDown(from: 0)
  }

  /// Removes the elements for which `isDead` holds, in linear time.
  @inlinable package mutating func removeAll(where isDead: (Element) -> Bool) {
    elements.removeAll(where: isDead)
    heapify()
  }

  @inlinable mutating func heapify() {
    for parent in stride(from: elements.count / 2 - 1, through: 0, by: -1) {
      siftDown(from: parent)
    }
  }

  @inlinable mutating func siftDown(from start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < elements.count && elements[child] < elements[least] {
        least = child
      }
      if least == parent { return }
      elements.swapAt(parent, least)
      parent = least
    }
  }
}

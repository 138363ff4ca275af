extension [Int32] {
  /// Where `value` is in an array in ascending order, or nil if it isn't there.
  func sortedIndex(of value: Int32) -> Int? {
    let index = partitionIndex { $0 >= value }
    return index < count && self[index] == value ? index : nil
  }
}

extension Array {
  /// The first index for which `isBehind` holds, in an array that is sorted by it.
  func partitionIndex(where isBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

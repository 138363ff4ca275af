extension [Int32] {
  /// The index of `value` in an array in ascending order, or nil if it isn't there.
  func sortedIndex(of value: Int32) -> Int? {
    let index = partitionIndex { $0 >= value }
    return index < count && self[index] == value ? index : nil
  }
}

extension Array {
  /// The first index whose element is in the second partition, in an array that `belongsInSecond`
  /// partitions. It is `count` if there is none.
  func partitionIndex(where belongsInSecond: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

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

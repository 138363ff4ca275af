/// Text split into lines without copying them.
struct ByteLines {
  let bytes: [UInt8]
  /// The range of each line, with its line feed.
  let ranges: [Range<Int>]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var ranges: [Range<Int>] = []
    var start = 0
    let span = bytes.span
    while start < span.count {
      let end = span.firstIndex(of: UInt8(ascii: "\n"), from: start).map { $0 + 1 } ?? span.count
      ranges.append(start..<end)
      start = end
    }
    self.ranges = ranges
  }

  var count: Int { ranges.count }
  subscript(index: Int) -> ArraySlice<UInt8> { bytes[ranges[index]] }
}

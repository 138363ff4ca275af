extension JSONDocument {
  /// The scalar at that index, or nil if it is of another type.
  @inline(__always)
  func scalar<T: JSONPrimitive>(_ index: Int) -> T? {
    let bytes = bytes
    return T(canonical: bytes.span.extracting(self[index].range))
  }

  /// The keys and indexes that lead from the root to the value at that index.
  func path(to target: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var container = 0
    while container < target {
      var position = 0
      var index = container + 1
      while self[index].next <= target {
        index = self[index].next
        position += 1
      }
      let isObject = bytes[self[container].start] == 0x7B
      path.append(
        isObject ? JSONCodingKey(stringValue: name(index)) : JSONCodingKey(index: position))
      container = index
    }
    return path
  }
}

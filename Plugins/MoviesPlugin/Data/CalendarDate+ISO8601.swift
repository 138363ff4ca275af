extension CalendarDate {
  /// Reads `yyyy-MM-dd`, ten ASCII characters; nil for any other text, or if there is no such day.
  init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    let hyphen = UInt8(ascii: "-")
    guard bytes.count == 10, bytes[4] == hyphen, bytes[7] == hyphen,
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
      let day = Self.number(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Digits only: what `Int(_:)` reads includes signs.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}

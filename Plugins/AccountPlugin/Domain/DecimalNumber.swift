/// A decimal number of any length, exact, and never changed once made.
struct DecimalNumber: Equatable, Sendable {
  /// Zero has no sign.
  let isNegative: Bool
  /// The digits before the point, 0 to 9 each, without needless zeros in front; never empty.
  let whole: [UInt8]
  /// The digits after the point, as many as were given.
  let fraction: [UInt8]

  init(isNegative: Bool, whole: some Sequence<UInt8>, fraction: [UInt8]) {
    let significant = Array(whole.drop { $0 == 0 })
    self.whole = significant.isEmpty ? [0] : significant
    self.fraction = fraction
    self.isNegative =
      isNegative && !(significant.isEmpty && fraction.allSatisfy { $0 == 0 })
  }

  /// Returns the nearest number with that many digits after the point; of two that are equally near
  /// the one whose last digit is even.
  func rounded(toPlaces places: Int) -> DecimalNumber {
    let missing = Array(repeating: 0 as UInt8, count: max(0, places - fraction.count))
    var kept = whole + fraction.prefix(places) + missing
    if roundsUp(from: fraction.dropFirst(places), after: kept[kept.count - 1]) {
      Self.increment(&kept)
    }
    return DecimalNumber(
      isNegative: isNegative, whole: kept.dropLast(places),
      fraction: Array(kept.suffix(places)))
  }

  private func roundsUp(from rest: ArraySlice<UInt8>, after last: UInt8) -> Bool {
    guard let first = rest.first, first >= 5 else { return false }
    let isHalf = first == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
    return !isHalf || !last.isMultiple(of: 2)
  }

  /// Adds one to the last digit.
  private static func increment(_ digits: inout [UInt8]) {
    for index in digits.indices.reversed() {
      guard digits[index] == 9 else {
        digits[index] += 1
        return
      }
      digits[index] = 0
    }
    digits.insert(1, at: 0)
  }
}

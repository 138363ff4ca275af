/// Amounts of money as people in the United States write them.
enum DollarText {
  /// Returns the amount to the cent: `$6,729,383.99`, `-$1.00`.
  static func text(_ amount: DecimalNumber) -> String {
    let rounded = amount.rounded(toPlaces: 2)
    let sign = rounded.isNegative ? "-" : ""
    return "\(sign)$\(grouped(rounded.whole)).\(DecimalNumber.text(of: rounded.fraction))"
  }

  private static func grouped(_ whole: [UInt8]) -> String {
    let first = (whole.count - 1) % 3 + 1
    let groups = stride(from: first, to: whole.count, by: 3).map { whole[$0..<$0 + 3] }
    return ([whole[..<first]] + groups).map(DecimalNumber.text(of:)).joined(separator: ",")
  }
}

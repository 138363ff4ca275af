/// An age as it is typed.
enum AgeText {
  /// Returns the whole number at the text's beginning, after any blanks; 0 if there is none. One
  /// that is too large for an `Int` is the largest or smallest there is.
  static func number(in text: String) -> Int {
    // Not by character: a digit with an accent is a digit, and then something else.
    var rest = text.unicodeScalars.drop { $0.properties.isWhitespace }
    let sign = rest.first == "-" ? "-" : ""
    if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty else { return 0 }
    return Int(sign + String(digits)) ?? (sign.isEmpty ? .max : .min)
  }
}

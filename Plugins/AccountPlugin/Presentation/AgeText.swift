/// An age as it is typed.
enum AgeText {
  /// Returns the whole number at the text's beginning, after any blanks; 0 if there is none. One
  /// that is too large for an `Int` is the largest or smallest there is.
  static func number(in text: String) -> Int {
    var rest = text.drop(while: \.isWhitespace)
    let sign = rest.first == "-" ? "-" : ""
    if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return 0 }
    return Int(sign + digits) ?? (sign.isEmpty ? .max : .min)
  }
}

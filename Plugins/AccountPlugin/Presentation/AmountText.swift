// How people of each country write money is a table that nobody should keep twice. The rest of
// Foundation stays out, since it would make the plugin's start longer still.
import FoundationEssentials
import FoundationInternationalization

/// Amounts of US dollars as people of a locale write them.
enum AmountText {
  /// Returns the amount to the cent: `$6,729,383.99` in `en_US`, `6.729.383,99 $` in `de_DE`.
  ///
  /// - Parameter locale: An identifier as in `context.locale`; never the machine's.
  static func text(_ amount: DecimalNumber, locale: String) -> String {
    let cents = amount.rounded(toPlaces: 2)
    let digits = (cents.whole + cents.fraction).reduce(into: Decimal(0)) { number, digit in
      number = number * 10 + Decimal(digit)
    }
    let dollars = Decimal(
      sign: cents.isNegative ? .minus : .plus, exponent: -2, significand: digits)
    return dollars.formatted(.currency(code: "USD").locale(Locale(identifier: locale)))
  }
}

import ViewModelKit

/// Shows how much money there is.
final class BalanceViewModel: ViewModel {
  typealias Config = BalanceConfig

  static let id = "account.balance"

  /// Send the amount as a decimal number in text; what is none is ignored.
  let balanceChanged = Input<String>()
  // What the default config shows, written out so that a manifest doesn't wait for Foundation's
  // table of locales. An instance replaces it before anybody sees it.
  let displayBalance = State("Your balance is $6,729,383.99")

  func start(_ context: Context<BalanceConfig>) {
    let locale = context.locale
    displayBalance.value = Self.text(context.config.balance, locale: locale)
    balanceChanged.on { text in
      guard let balance = DecimalNumber(text) else { return }
      self.displayBalance.value = Self.text(balance, locale: locale)
    }
  }

  private static func text(_ balance: DecimalNumber, locale: String) -> String {
    "Your balance is \(AmountText.text(balance, locale: locale))"
  }
}

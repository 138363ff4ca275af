import ViewModelKit

/// Shows how much money there is.
final class BalanceViewModel: ViewModel {
  typealias Config = BalanceConfig

  static let id = "account.balance"

  /// Send the amount as a decimal number in text; what is none is ignored.
  let balanceChanged = Input<String>()
  // Without a text of its own, so that the manifest doesn't wait for Foundation's table of locales.
  let displayBalance = State("")

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

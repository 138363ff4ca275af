import ViewModelKit

/// Shows how much money there is.
final class BalanceViewModel: ViewModel {
  typealias Config = BalanceConfig

  static let id = "account.balance"

  /// Send the amount as a decimal number in text; what is none is ignored.
  let balanceChanged = Input<String>()
  let displayBalance = State(BalanceViewModel.text(BalanceConfig().balance))

  func start(_ context: Context<BalanceConfig>) {
    displayBalance.value = Self.text(context.config.balance)
    balanceChanged.on { text in
      guard let balance = DecimalNumber(text) else { return }
      self.displayBalance.value = Self.text(balance)
    }
  }

  private static func text(_ balance: DecimalNumber) -> String {
    "Your balance is \(DollarText.text(balance))"
  }
}

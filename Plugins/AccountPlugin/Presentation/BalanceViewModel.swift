import ViewModelKit

/// Shows how much money there is.
final class BalanceViewModel: ViewModel {
  typealias Config = BalanceConfig

  static let id = "account.balance"

  /// Send the amount as a decimal number in text; what is none is ignored.
  let balanceChanged = Input<String>()
  let displayBalance = State("")

  func start(_ context: Context<BalanceConfig>) {
    show(context.config.balance)
    balanceChanged.on { balance in
      if let amount = DecimalNumber(balance) { self.show(amount) }
    }
  }

  private func show(_ balance: DecimalNumber) {
    displayBalance.value = "Your balance is \(DollarText.text(balance))"
  }
}

import ViewModelKit

/// The balance to begin with: a decimal number in text, because JSON numbers may be read as binary.
struct BalanceConfig: ViewModelConfig {
  private enum CodingKeys: String, CodingKey {
    case balance
  }

  var balance = DecimalNumber(isNegative: false, whole: [6, 7, 2, 9, 3, 8, 3], fraction: [9, 9])

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decode(String.self, forKey: .balance)
    guard let number = DecimalNumber(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .balance, in: container,
        debugDescription: "expected a decimal number such as \"6729383.99\", with at most"
          + " \(DecimalNumber.mostWholeDigits) digits before the point, found \"\(text)\"")
    }
    balance = number
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(balance.text, forKey: .balance)
  }
}

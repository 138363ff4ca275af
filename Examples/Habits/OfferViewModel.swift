import ViewModelKit

/// Shows what articles cost, with what their shipping costs.
final class OfferViewModel: ViewModel {
  static let id = "habits.offer"

  /// Send the names of the articles.
  let didOpen = Input<[String]>()

  let prices = State([String: Int]())
  let total = State(0)

  let http = HTTP()
  let load = Work(.latest)

  func start(_ context: Context<NoConfig>) {
    didOpen.start(load) { articles in
      async let shipping = self.number(at: "shipping")
      let prices = try await withThrowingTaskGroup(of: (String, Int).self) { group in
        for article in articles {
          group.addTask { (article, try await self.number(at: "price/\(article)")) }
        }
        var prices: [String: Int] = [:]
        for try await (article, price) in group { prices[article] = price }
        return prices
      }
      self.prices.value = prices
      self.total.value = try await prices.values.reduce(shipping, +)
    }
  }

  private func number(at path: String) async throws -> Int {
    try await http.get("https://shop.example/\(path)").decode(Int.self)
  }
}

/// What is bought, in the order of its adding.
struct Cart {
  struct Line: Codable, Sendable {
    let name: String
    var count: Int
    /// Of one, in cents.
    let price: Int
  }

  private(set) var lines: [Line] = []

  /// In cents.
  var total: Int { lines.reduce(0) { $0 + $1.count * $1.price } }

  mutating func add(_ name: String, price: Int) {
    if let index = lines.firstIndex(where: { $0.name == name && $0.price == price }) {
      lines[index].count += 1
    } else {
      lines.append(Line(name: name, count: 1, price: price))
    }
  }
}

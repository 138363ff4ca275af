/// One of several parts of a run, as in `--shard 2/4`.
struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  let index: Int
  let count: Int

  static let form = "a shard such as 2/4: its number, from 1 on, and how many there are"

  /// All of a run.
  static let whole = Shard(index: 1, count: 1)

  private init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// Nil if `index` isn't from 1 to `count`.
  init?(_ index: Int, of count: Int) {
    guard index >= 1, index <= count, count <= Self.maxCount else { return nil }
    self.init(index: index, count: count)
  }

  /// Reads `2/4`, digits only.
  static func parse(_ text: String) -> Shard? {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }),
      let index = Int(Substring(parts[0])), let count = Int(Substring(parts[1]))
    else { return nil }
    return Shard(index, of: count)
  }

  /// Enough for any machine room, and a typing error shows.
  private static let maxCount = 100_000

  var description: String { "\(index)/\(count)" }
}

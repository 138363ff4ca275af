/// One of several parts of a run, as in `--shard 2/4`.
struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// The number of the shard, from 1 to `count`.
  let index: Int
  let count: Int

  static let form = "a shard such as 2/4: its number, from 1 on, and how many there are"

  /// The only shard of an undivided run.
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

  /// Parses `2/4`; nil for anything but such digits.
  static func parse(_ text: String) -> Shard? {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }),
      let index = Int(Substring(parts[0])), let count = Int(Substring(parts[1]))
    else { return nil }
    return Shard(index, of: count)
  }

  /// The maximum number of shards. More is probably a typing error.
  private static let maxCount = 100_000

  var description: String { "\(index)/\(count)" }
}

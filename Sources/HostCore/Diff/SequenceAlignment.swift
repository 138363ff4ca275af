/// Finds what two sequences have in common, in order.
///
/// The sequences are given as numbers, equal ones for equal elements. The result is a longest
/// common subsequence if none is longer than `maxLength`. Longer ones are first cut where an
/// element occurs once in both, or else at that length.
enum SequenceAlignment {
  /// Equal elements in a row, on both sides.
  struct Match: Equatable {
    var old: Int
    var new: Int
    var count: Int
  }

  /// The time and the memory of a comparison grow with the square of its length.
  private static let maxLength = 512

  /// Returns the matches, in order. There is at least one change between two of them.
  static func matches(_ old: [Int], _ new: [Int]) -> [Match] {
    // Only elements that both sides have can be equal. Often they are few, or all of one side.
    let (inOld, inNew) = (Set(old), Set(new))
    let oldIndexes = old.indices.filter { inNew.contains(old[$0]) }
    let newIndexes = new.indices.filter { inOld.contains(new[$0]) }
    var matches: [Match] = []
    for pair in pairs(oldIndexes.map { old[$0] }[...], newIndexes.map { new[$0] }[...]) {
      let (one, other) = (oldIndexes[pair.old], newIndexes[pair.new])
      if let last = matches.last, last.old + last.count == one, last.new + last.count == other {
        matches[matches.count - 1].count += 1
      } else {
        matches.append(Match(old: one, new: other, count: 1))
      }
    }
    return matches
  }

  private typealias Pair = (old: Int, new: Int)

  /// The indices of equal elements.
  private static func pairs(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> [Pair] {
    var pairs = contained(new, in: old)
    if pairs.count == new.count { return pairs }
    pairs = contained(old, in: new).map { (old: $0.new, new: $0.old) }
    if pairs.count == old.count { return pairs }
    guard max(old.count, new.count) > maxLength else { return compared(old, new) }
    pairs = []
    var (x, y) = (old.startIndex, new.startIndex)
    for anchor in anchors(old, new) {
      pairs += Self.pairs(old[x..<anchor.old], new[y..<anchor.new]) + [anchor]
      (x, y) = (anchor.old + 1, anchor.new + 1)
    }
    guard pairs.isEmpty else { return pairs + Self.pairs(old[x...], new[y...]) }
    while x < old.endIndex, y < new.endIndex {
      pairs += compared(old[x...].prefix(maxLength), new[y...].prefix(maxLength))
      (x, y) = (x + maxLength, y + maxLength)
    }
    return pairs
  }

  /// The longest beginning of `part` that is a subsequence of `whole`.
  private static func contained(_ part: ArraySlice<Int>, in whole: ArraySlice<Int>) -> [Pair] {
    var pairs: [Pair] = []
    for index in whole.indices {
      let next = part.startIndex + pairs.count
      guard next < part.endIndex else { break }
      if part[next] == whole[index] { pairs.append((index, next)) }
    }
    return pairs
  }

  private static func compared(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> [Pair] {
    let difference = new.difference(from: old)
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(old.startIndex + offset)
      case .insert(let offset, _, _): inserted.insert(new.startIndex + offset)
      }
    }
    let kept = (
      old.indices.filter { !removed.contains($0) }, new.indices.filter { !inserted.contains($0) }
    )
    return Array(zip(kept.0, kept.1))
  }

  /// A longest increasing sequence of the elements that occur once in both.
  private static func anchors(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> [Pair] {
    let (inOld, inNew) = (unique(old), unique(new))
    /// The pair with the least new index that ends a sequence of each length, and the pair before.
    var ends: [Pair] = []
    var previous: [Int: Pair] = [:]
    for index in old.indices {
      guard inOld[old[index]] == index, let new = inNew[old[index]], new >= 0 else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle].new < new { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[new] = ends[low - 1] }
      ends.replaceSubrange(low..<min(low + 1, ends.count), with: [(index, new)])
    }
    var anchors: [Pair] = []
    var next = ends.last
    while let pair = next {
      anchors.append(pair)
      next = previous[pair.new]
    }
    return anchors.reversed()
  }

  /// The index of each element that occurs once; negative for others.
  private static func unique(_ elements: ArraySlice<Int>) -> [Int: Int] {
    Dictionary(elements.indices.map { (elements[$0], $0) }, uniquingKeysWith: { _, _ in -1 })
  }
}

/// Finds a common subsequence of two sequences, with Myers' algorithm in linear memory.
///
/// The sequences are given as numbers, equal ones for equal elements. The result is a longest
/// common subsequence, unless the sequences are so different that finding it would take too long.
/// Then it is one that a bounded search found.
struct SequenceAlignment {
  /// A run of elements that are equal on both sides.
  struct Match: Equatable {
    var old: Int
    var new: Int
    var count: Int
  }

  private enum Work {
    case box(Box)
    case match(Match)
  }

  /// A part of both sequences that is still to be aligned.
  private struct Box {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// The maximum number of edits in a search. A search takes up to the square of this number of
  /// operations and then advances by at least this many elements. So the total is at most this
  /// number times the number of elements.
  private static let maxEdits = 256

  /// The elements that occur on both sides. Others can't match, and would cost most of the time if
  /// the sequences are very different.
  private let old: [Int]
  private let new: [Int]
  /// The furthest position on each diagonal, from the start and from the end of a box.
  private var forward: [Int]
  private var backward: [Int]

  /// The matches in order.
  static func matches(_ old: [Int], _ new: [Int]) -> [Match] {
    if let matches = contained(new, in: old) { return matches }
    if let matches = contained(old, in: new) {
      return matches.map { Match(old: $0.new, new: $0.old, count: $0.count) }
    }
    let inOld = Set(old)
    let inNew = Set(new)
    let oldIndexes = old.indices.filter { inNew.contains(old[$0]) }
    let newIndexes = new.indices.filter { inOld.contains(new[$0]) }
    var search = Self(old: oldIndexes.map { old[$0] }, new: newIndexes.map { new[$0] })
    var matches: [Match] = []
    for found in search.run() {
      for offset in 0..<found.count {
        let (old, new) = (oldIndexes[found.old + offset], newIndexes[found.new + offset])
        append(Match(old: old, new: new, count: 1), to: &matches)
      }
    }
    return matches
  }

  /// The matches of all of `part` in `whole`, or nil if `part` isn't a subsequence of it.
  private static func contained(_ part: [Int], in whole: [Int]) -> [Match]? {
    var matches: [Match] = []
    var next = 0
    for (index, element) in whole.enumerated() where next < part.count && part[next] == element {
      append(Match(old: index, new: next, count: 1), to: &matches)
      next += 1
    }
    return next == part.count ? matches : nil
  }

  private static func append(_ match: Match, to matches: inout [Match]) {
    if let last = matches.last, last.old + last.count == match.old,
      last.new + last.count == match.new
    {
      matches[matches.count - 1].count += match.count
    } else if match.count > 0 {
      matches.append(match)
    }
  }

  private init(old: [Int], new: [Int]) {
    self.old = old
    self.new = new
    forward = Array(repeating: 0, count: old.count + new.count + 3)
    backward = forward
  }

  private mutating func run() -> [Match] {
    var matches: [Match] = []
    // An explicit stack instead of recursion: a bounded search may split off little at a time.
    var work = [Work.box(Box(old: 0..<old.count, new: 0..<new.count))]
    while let next = work.popLast() {
      guard case .box(let whole) = next else {
        if case .match(let match) = next { Self.append(match, to: &matches) }
        continue
      }
      let (box, prefix, suffix) = trimmed(whole)
      Self.append(prefix, to: &matches)
      work.append(.match(suffix))
      guard !box.old.isEmpty, !box.new.isEmpty else { continue }
      let (x, y) = split(box)
      work.append(.box(Box(old: x..<box.old.upperBound, new: y..<box.new.upperBound)))
      work.append(.box(Box(old: box.old.lowerBound..<x, new: box.new.lowerBound..<y)))
    }
    return matches
  }

  /// The box without the equal elements at its ends.
  private func trimmed(_ box: Box) -> (box: Box, prefix: Match, suffix: Match) {
    var (x, y) = (box.old.lowerBound, box.new.lowerBound)
    while x < box.old.upperBound, y < box.new.upperBound, old[x] == new[y] {
      (x, y) = (x + 1, y + 1)
    }
    var (xEnd, yEnd) = (box.old.upperBound, box.new.upperBound)
    while xEnd > x, yEnd > y, old[xEnd - 1] == new[yEnd - 1] { (xEnd, yEnd) = (xEnd - 1, yEnd - 1) }
    let prefix = Match(
      old: box.old.lowerBound, new: box.new.lowerBound, count: x - box.old.lowerBound)
    let suffix = Match(old: xEnd, new: yEnd, count: box.old.upperBound - xEnd)
    return (Box(old: x..<xEnd, new: y..<yEnd), prefix, suffix)
  }

  // MARK: The middle of a box

  /// The diagonals of one direction of a search.
  private struct Front {
    var lowest: Int
    var highest: Int

    /// Adds a diagonal on each side, or removes one on a side where the limit is reached.
    mutating func widen(within limits: ClosedRange<Int>) -> (below: Bool, above: Bool) {
      let grows = (below: lowest > limits.lowerBound, above: highest < limits.upperBound)
      lowest += grows.below ? -1 : 1
      highest += grows.above ? 1 : -1
      return grows
    }

    var diagonals: StrideThrough<Int> { stride(from: highest, through: lowest, by: -2) }
    func contains(_ diagonal: Int) -> Bool { lowest <= diagonal && diagonal <= highest }
  }

  /// A position on a shortest path through the box, other than its start and its end.
  ///
  /// It searches from both ends in turns, with one more edit each time, until the searches meet.
  /// On diagonal `d`, `x - y == d`.
  private mutating func split(_ box: Box) -> (x: Int, y: Int) {
    let (x, xEnd, y, yEnd) = (
      box.old.lowerBound, box.old.upperBound, box.new.lowerBound, box.new.upperBound
    )
    let base = new.count + 1
    let limits = (x - yEnd)...(xEnd - y)
    var ahead = Front(lowest: x - y, highest: x - y)
    var back = Front(lowest: xEnd - yEnd, highest: xEnd - yEnd)
    let isOdd = (ahead.lowest - back.lowest) & 1 != 0
    forward[base + ahead.lowest] = x
    backward[base + back.lowest] = xEnd
    for _ in 0..<Self.maxEdits {
      let added = ahead.widen(within: limits)
      if added.below { forward[base + ahead.lowest - 1] = -1 }
      if added.above { forward[base + ahead.highest + 1] = -1 }
      for diagonal in ahead.diagonals {
        let reached = advance(on: diagonal, in: box)
        forward[base + diagonal] = reached
        if isOdd, back.contains(diagonal), backward[base + diagonal] <= reached {
          return (reached, reached - diagonal)
        }
      }
      let addedBack = back.widen(within: limits)
      if addedBack.below { backward[base + back.lowest - 1] = Int.max }
      if addedBack.above { backward[base + back.highest + 1] = Int.max }
      for diagonal in back.diagonals {
        let reached = retreat(on: diagonal, in: box)
        backward[base + diagonal] = reached
        if !isOdd, ahead.contains(diagonal), reached <= forward[base + diagonal] {
          return (reached, reached - diagonal)
        }
      }
    }
    return furthest(ahead, back, in: box)
  }

  /// Makes one edit from the neighbouring diagonals' positions, then follows equal elements.
  private func advance(on diagonal: Int, in box: Box) -> Int {
    let index = new.count + 1 + diagonal
    var x = max(forward[index - 1] + 1, forward[index + 1])
    var y = x - diagonal
    while x < box.old.upperBound, y < box.new.upperBound, old[x] == new[y] {
      (x, y) = (x + 1, y + 1)
    }
    return x
  }

  private func retreat(on diagonal: Int, in box: Box) -> Int {
    let index = new.count + 1 + diagonal
    var x = min(backward[index - 1], backward[index + 1] - 1)
    var y = x - diagonal
    while x > box.old.lowerBound, y > box.new.lowerBound, old[x - 1] == new[y - 1] {
      (x, y) = (x - 1, y - 1)
    }
    return x
  }

  /// The furthest position of a search that reached the limit, from the end that got further.
  private func furthest(_ ahead: Front, _ back: Front, in box: Box) -> (x: Int, y: Int) {
    let base = new.count + 1
    var best = (x: box.old.lowerBound, y: box.new.lowerBound)
    for diagonal in ahead.diagonals {
      let highest = min(box.old.upperBound, box.new.upperBound + diagonal)
      let x = min(forward[base + diagonal], highest)
      if 2 * x - diagonal > best.x + best.y { best = (x, x - diagonal) }
    }
    var bestBack = (x: box.old.upperBound, y: box.new.upperBound)
    for diagonal in back.diagonals {
      let lowest = max(box.old.lowerBound, box.new.lowerBound + diagonal)
      let x = max(backward[base + diagonal], lowest)
      if 2 * x - diagonal < bestBack.x + bestBack.y { bestBack = (x, x - diagonal) }
    }
    let gained = best.x + best.y - box.old.lowerBound - box.new.lowerBound
    let gainedBack = box.old.upperBound + box.new.upperBound - bestBack.x - bestBack.y
    return gained > gainedBack ? best : bestBack
  }
}

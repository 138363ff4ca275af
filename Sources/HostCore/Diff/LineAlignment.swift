/// Aligns two lists of lines: which lines are equal, changed, or in one list only.
struct LineAlignment: Sendable {
  enum Element: Equatable, Sendable {
    case equal(old: Int, new: Int)
    /// The same line with another value.
    case changed(old: Int, new: Int)
    case removed(old: Int)
    case inserted(new: Int)

    var isEqual: Bool { if case .equal = self { true } else { false } }
  }

  /// A range of equal elements that is hidden, or a range with changes and the lines around them.
  enum Part: Equatable {
    case hidden(Range<Int>)
    case shown(Range<Int>)
  }

  /// Numbers for a part of each list's lines. Lines with the same key have the same number.
  struct Keys {
    let old: [Int]
    let new: [Int]

    init<Key: Hashable>(_ old: some Sequence<Key>, _ new: some Sequence<Key>) {
      var numbers: [Key: Int] = [:]
      let number = { (key: Key) in
        let next = numbers.count
        let known = numbers[key, default: next]
        if known == next { numbers[key] = next }
        return known
      }
      self.old = old.map(number)
      self.new = new.map(number)
    }
  }

  private let oldCount: Int
  private let newCount: Int
  /// The number of equal lines at the start.
  private(set) var prefix: Int
  /// The number of equal lines at the end.
  private let suffix: Int
  /// The elements between the prefix and the suffix.
  private(set) var elements: [Element] = []

  /// Aligns lists of these lengths.
  ///
  /// - Parameters:
  ///   - isEqual: whether a line of the old list equals a line of the new list.
  ///   - keys: returns levels of keys for the lines in these ranges. The first level decides which
  ///     lines are equal. The others decide which lines are changed forms of each other, with the
  ///     closest similarity first.
  init(
    _ oldCount: Int, _ newCount: Int, isEqual: (Int, Int) -> Bool,
    keys: (Range<Int>, Range<Int>) -> [Keys]
  ) {
    let shorter = min(oldCount, newCount)
    var prefix = 0
    while prefix < shorter, isEqual(prefix, prefix) { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, isEqual(oldCount - 1 - suffix, newCount - 1 - suffix) {
      suffix += 1
    }
    (self.oldCount, self.newCount, self.prefix, self.suffix) = (oldCount, newCount, prefix, suffix)
    let old = prefix..<oldCount - suffix
    let new = prefix..<newCount - suffix
    guard !old.isEmpty || !new.isEmpty else { return }
    let levels = old.isEmpty || new.isEmpty ? [] : keys(old, new)
    align(0..<old.count, 0..<new.count, by: levels[...], isFirst: true)
  }

  /// Appends the elements of these ranges, which are relative to the end of the prefix.
  private mutating func align(
    _ old: Range<Int>, _ new: Range<Int>, by levels: ArraySlice<Keys>, isFirst: Bool
  ) {
    guard let keys = levels.first, !old.isEmpty, !new.isEmpty else {
      elements += old.map { .removed(old: prefix + $0) }
      elements += new.map { .inserted(new: prefix + $0) }
      return
    }
    if old.count == 1, new.count == 1 {
      alignOne(old.lowerBound, new.lowerBound, by: levels, isFirst: isFirst)
      return
    }
    var (x, y) = (old.lowerBound, new.lowerBound)
    let matches = SequenceAlignment.matches(Array(keys.old[old]), Array(keys.new[new]))
    for match in matches {
      let (oldStart, newStart) = (old.lowerBound + match.old, new.lowerBound + match.new)
      align(x..<oldStart, y..<newStart, by: levels.dropFirst(), isFirst: false)
      for offset in 0..<match.count {
        let (one, other) = (prefix + oldStart + offset, prefix + newStart + offset)
        elements.append(
          isFirst ? .equal(old: one, new: other) : .changed(old: one, new: other))
      }
      (x, y) = (oldStart + match.count, newStart + match.count)
    }
    align(x..<old.upperBound, y..<new.upperBound, by: levels.dropFirst(), isFirst: false)
  }

  /// Does the same for one line on each side, without a search. A huge value may have very many of
  /// those.
  private mutating func alignOne(
    _ old: Int, _ new: Int, by levels: ArraySlice<Keys>, isFirst: Bool
  ) {
    let (one, other) = (prefix + old, prefix + new)
    if isFirst, let keys = levels.first, keys.old[old] == keys.new[new] {
      elements.append(.equal(old: one, new: other))
    } else if levels.dropFirst(isFirst ? 1 : 0).contains(where: { $0.old[old] == $0.new[new] }) {
      elements.append(.changed(old: one, new: other))
    } else {
      elements += [.removed(old: one), .inserted(new: other)]
    }
  }

  // MARK: Reading

  var isEqual: Bool { elements.isEmpty }
  var count: Int { prefix + elements.count + suffix }

  subscript(index: Int) -> Element {
    if index < prefix { return .equal(old: index, new: index) }
    if index < prefix + elements.count { return elements[index - prefix] }
    let left = count - index
    return .equal(old: oldCount - left, new: newCount - left)
  }

  /// Splits the elements into hidden parts and shown ones. A shown part has changes with up to
  /// `context` equal lines around them.
  ///
  /// - Parameter joins: whether to show a single line that would be hidden. The note about it would
  ///   take a line as well.
  func parts(context: Int, joins: Bool = true) -> [Part] {
    var shown: [Range<Int>] = []
    for (offset, element) in elements.enumerated() where !element.isEqual {
      let index = prefix + offset
      let around = max(0, index - context)..<min(count, index + 1 + context)
      if let last = shown.last, around.lowerBound <= last.upperBound + (joins ? 1 : 0) {
        shown[shown.count - 1] = last.lowerBound..<around.upperBound
      } else {
        shown.append(around)
      }
    }
    if joins, let first = shown.first, first.lowerBound == 1 { shown[0] = 0..<first.upperBound }
    if joins, let last = shown.last, last.upperBound == count - 1 {
      shown[shown.count - 1] = last.lowerBound..<count
    }
    var parts: [Part] = []
    var end = 0
    for range in shown {
      if range.lowerBound > end { parts.append(.hidden(end..<range.lowerBound)) }
      parts.append(.shown(range))
      end = range.upperBound
    }
    if end < count { parts.append(.hidden(end..<count)) }
    return parts
  }

  // MARK: Sliding

  /// Moves blocks of lines that are in one list only up to where they read best.
  ///
  /// A difference often has several correct forms: if `[{a},{b},{c}]` becomes `[{a},{c}]`, the
  /// removed block may be `b},{` or `{b}`, and a reader expects `{b}`. Of the equivalent positions
  /// of a block, the one whose first line has the lowest cost is chosen.
  mutating func slide(
    oldCost: (Int) -> Int, newCost: (Int) -> Int, isEqual: (_ isOld: Bool, Int, Int) -> Bool
  ) {
    takeInPrefix(100)
    var start = 0
    while start < elements.count {
      var end = start + 1
      switch elements[start] {
      case .removed:
        while end < elements.count, case .removed = elements[end] { end += 1 }
        slide(start..<end, cost: oldCost) { isEqual(true, $0, $1) }
      case .inserted:
        while end < elements.count, case .inserted = elements[end] { end += 1 }
        slide(start..<end, cost: newCost) { isEqual(false, $0, $1) }
      default: break
      }
      start = end
    }
  }

  /// Moves up to `limit` lines from the end of the prefix into the elements.
  private mutating func takeInPrefix(_ limit: Int) {
    guard !elements.isEmpty else { return }
    let taken = min(limit, prefix)
    prefix -= taken
    elements.insert(
      contentsOf: (prefix..<prefix + taken).map { .equal(old: $0, new: $0) }, at: 0)
  }

  private mutating func slide(
    _ block: Range<Int>, cost: (Int) -> Int, isEqual: (Int, Int) -> Bool
  ) {
    let first = own(block.lowerBound)
    let last = first + block.count - 1
    var best = (shift: 0, cost: cost(first))
    var shift = 0
    while shift < block.count, block.lowerBound - shift > 0,
      elements[block.lowerBound - shift - 1].isEqual,
      isEqual(first - shift - 1, last - shift)
    {
      shift += 1
      let cost = cost(first - shift)
      if cost < best.cost { best = (shift, cost) }
    }
    for step in 0..<best.shift { moveUp(block.lowerBound - step..<block.upperBound - step) }
  }

  /// The index of an element's line in the list that has it; the old list if both do.
  private func own(_ index: Int) -> Int {
    switch elements[index] {
    case .removed(let old), .equal(let old, _), .changed(let old, _): old
    case .inserted(let new): new
    }
  }

  /// Moves a block up by one line: the equal line above it then follows it.
  private mutating func moveUp(_ block: Range<Int>) {
    guard case .equal(let old, let new) = elements[block.lowerBound - 1] else { return }
    if case .removed = elements[block.lowerBound] {
      for offset in 0..<block.count {
        elements[block.lowerBound - 1 + offset] = .removed(old: old + offset)
      }
      elements[block.upperBound - 1] = .equal(old: old + block.count, new: new)
    } else {
      for offset in 0..<block.count {
        elements[block.lowerBound - 1 + offset] = .inserted(new: new + offset)
      }
      elements[block.upperBound - 1] = .equal(old: old, new: new + block.count)
    }
  }
}

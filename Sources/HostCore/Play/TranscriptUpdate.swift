/// Rewrites the lines of a transcript that differ from a run, and no others.
package struct TranscriptUpdate: Sendable {
  /// The numbers of the lines to remove.
  private var removed: Set<Int> = []
  /// The bytes to insert, by the number of the line before them.
  private var inserted: [Int: [UInt8]] = [:]

  package init() {}

  /// Adds the changes of a step.
  package mutating func add(_ comparison: StepComparison, _ difference: StepDifference) {
    let step = comparison.step
    let lines = Array(comparison.expected.lines[step.expected])
    let texts = comparison.foundTexts
    // Lines that take effect before the step stay directly after its line.
    var last = step.before.last?.numbers.upperBound ?? step.numbers.upperBound
    for edit in difference.edits {
      switch edit {
      case .keep(let expected, _): last = lines[expected].numbers.upperBound
      case .remove(let expected):
        removed.formUnion(lines[expected].numbers)
        last = lines[expected].numbers.upperBound
      case .insert(let found): inserted[last, default: []] += texts[found]
      }
    }
  }

  /// Applies the changes to a file. All other bytes stay the same, including line breaks of either
  /// kind.
  package func apply(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    var number = 1
    var hasCarriageReturns = false
    while start < bytes.count {
      let end = bytes.span.firstIndex(of: 0x0a, from: start).map { $0 + 1 } ?? bytes.count
      // The last line may have no end.
      if bytes[end - 1] == 0x0a {
        hasCarriageReturns = bytes[start..<end].suffix(2).elementsEqual([0x0d, 0x0a])
      }
      if !removed.contains(number) { result += bytes[start..<end] }
      if let lines = inserted[number] {
        if let last = result.last, last != 0x0a {
          result += hasCarriageReturns ? [0x0d, 0x0a] : [0x0a]
        }
        result += hasCarriageReturns ? Self.withCarriageReturns(lines) : lines
      }
      start = end
      number += 1
    }
    return result
  }

  private static func withCarriageReturns(_ lines: [UInt8]) -> [UInt8] {
    lines.flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] }
  }
}

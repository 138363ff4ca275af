import Basics

/// A hash of what each step of a transcript emitted, to compare one run with another.
package struct TranscriptTrace: Sendable {
  private(set) var steps: [(line: Int, hash: UInt64)] = []

  package init() {}

  package mutating func append(_ comparison: StepComparison) {
    var hash = FNV1a()
    let bytes = comparison.events.bytes
    // Where a line ends may depend on how its parts arrive.
    for record in comparison.records where !record.isOf(.print) {
      hash.combine(record.kind.rawValue)
      hash.combine(UInt64(bitPattern: record.time))
      hash.combine(record.id)
      hash.combine(UInt32(bitPattern: record.instance))
      for index in record.name.lowerBound..<record.value.upperBound {
        hash.combine(bytes[index])
      }
    }
    steps.append((comparison.step.numbers.lowerBound, hash.value))
  }

  /// The line of the first step in which the two differ; nil if there is none.
  package func firstDifference(from other: TranscriptTrace) -> Int? {
    for (own, others) in zip(steps, other.steps) where own != others { return own.line }
    guard steps.count != other.steps.count else { return nil }
    let longer = steps.count > other.steps.count ? steps : other.steps
    return longer[min(steps.count, other.steps.count)].line
  }
}

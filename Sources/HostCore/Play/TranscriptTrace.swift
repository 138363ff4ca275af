/// What each step of a transcript emitted, in 8 bytes a step, to compare one run with another.
package struct TranscriptTrace: Sendable {
  private(set) var steps: [(line: Int, hash: UInt64)] = []

  package init() {}

  package mutating func append(_ comparison: StepComparison) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    let bytes = comparison.events.bytes
    for record in comparison.records {
      Self.mix(UInt64(record.kind.rawValue), into: &hash)
      Self.mix(UInt64(bitPattern: record.time), into: &hash)
      Self.mix(record.id, into: &hash)
      Self.mix(UInt64(UInt32(bitPattern: record.instance)), into: &hash)
      for index in record.name.lowerBound..<record.value.upperBound {
        Self.mix(UInt64(bytes[index]), into: &hash)
      }
    }
    steps.append((comparison.step.numbers.lowerBound, hash))
  }

  /// FNV-1a: plain, and the same in every process.
  private static func mix(_ value: UInt64, into hash: inout UInt64) {
    hash = (hash ^ value) &* 0x100_0000_01b3
  }

  /// The line of the first step in which they differ; nil if there is none.
  package func firstDifference(from other: TranscriptTrace) -> Int? {
    for (own, others) in zip(steps, other.steps) where own != others { return own.line }
    guard steps.count != other.steps.count else { return nil }
    let longer = steps.count > other.steps.count ? steps : other.steps
    return longer[min(steps.count, other.steps.count)].line
  }
}

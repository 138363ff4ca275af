/// The lines of a transcript with the requests that may still be open.
struct RequestLines {
  private var lines: [String: Int] = [:]
  /// With more entries than this, those of closed requests are removed.
  private var maxCount = 1_000

  /// Adds the requests of a step. If the step emitted what its lines say, each has its own line;
  /// otherwise each has the line of the step.
  mutating func take(_ comparison: StepComparison) {
    let step = comparison.step
    let isEqual = comparison.isEqual
    var index = step.expected.lowerBound
    for record in comparison.records where StepComparison.isCompared(record) {
      defer { index += 1 }
      guard record.isOf(.request) else { continue }
      let line =
        isEqual ? comparison.expected.lines[index].numbers.lowerBound : step.numbers.lowerBound
      lines[Self.key(comparison.session.handle(of: record), record.id)] = line
    }
    if lines.count > maxCount { prune(comparison.session) }
  }

  private mutating func prune(_ session: SessionEngine) {
    let open = Set(session.openRequests.map { Self.key($0.handle, $0.id) })
    lines = lines.filter { open.contains($0.key) }
    maxCount = max(maxCount, 2 * lines.count)
  }

  /// The line of a request, or 0.
  func line(of handle: String, _ id: UInt64) -> Int { lines[Self.key(handle, id)] ?? 0 }

  private static func key(_ handle: String, _ id: UInt64) -> String { "\(handle).\(id)" }
}

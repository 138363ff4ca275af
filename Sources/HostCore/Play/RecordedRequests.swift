/// The requests that a transcript has, read once more where one comes that it doesn't have.
struct RecordedRequests {
  /// Kept of those before the step and of those behind it.
  private static let maxKept = 500
  /// Longer ones are not compared.
  private static let maxBytes = 16_384
  /// The file may be huge, and the differences many.
  private static let maxReads = 10

  private let source: TranscriptSource
  private var reads = 0

  init(_ source: TranscriptSource) { self.source = source }

  /// Those next to a line, in the order of the file.
  mutating func around(line: Int) -> [StepLine] {
    guard reads < Self.maxReads else { return [] }
    reads += 1
    var before: [StepLine] = []
    var behind: [StepLine] = []
    do {
      let reader = try TranscriptReader(source)
      while behind.count < Self.maxKept, let read = try reader.next() {
        guard case .expectation(let expectation) = read, expectation.kind == .request,
          expectation.value.count <= Self.maxBytes
        else { continue }
        let request = try reader.withLine { bytes in
          var one = ExpectedEvents()
          try one.append(expectation, bytes, at: reader.number...reader.number)
          return one.stepLine(0)
        }
        if reader.number > line { behind.append(request) } else { before.append(request) }
        if before.count >= 2 * Self.maxKept { before.removeFirst(Self.maxKept) }
      }
    } catch {
      // The file was read before; if that fails now, a hint gets shorter, and that is all.
    }
    return before.suffix(Self.maxKept) + behind
  }
}

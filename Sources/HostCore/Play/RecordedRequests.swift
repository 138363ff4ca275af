/// The requests in a transcript. They are read again when a step makes an unexpected request, to
/// find similar ones.
struct RecordedRequests {
  /// How many requests are kept on each side of the step.
  private static let maxKept = 500
  /// The maximum length of a request's value. Longer ones are not compared.
  private static let maxBytes = 16_384
  /// How often the file is read again. It may be huge, with many differences.
  private static let maxReads = 10

  private let source: TranscriptSource
  private var reads = 0

  init(_ source: TranscriptSource) { self.source = source }

  /// The requests closest to a line, in the order of the file.
  mutating func around(line: Int) -> [StepLine] {
    guard reads < Self.maxReads else { return [] }
    reads += 1
    var before: [StepLine] = []
    var after: [StepLine] = []
    do {
      let reader = try TranscriptReader(source)
      while after.count < Self.maxKept, let read = try reader.next() {
        guard case .expectation(let expectation) = read, expectation.kind == .request,
          expectation.value.count <= Self.maxBytes
        else { continue }
        let request = try reader.withLine { bytes in
          var one = ExpectedEvents()
          try one.append(expectation, bytes, at: reader.number...reader.number)
          return one.stepLine(0)
        }
        if reader.number > line { after.append(request) } else { before.append(request) }
        if before.count >= 2 * Self.maxKept { before.removeFirst(Self.maxKept) }
      }
    } catch {
      // The file could be read before. If that fails now, only a hint gets shorter.
    }
    return before.suffix(Self.maxKept) + after
  }
}

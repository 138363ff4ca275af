import Basics
import CanonicalJSON

/// What the lines of a transcript say, as the JSON Lines of a session that nobody plays.
package struct UnplayedTranscript {
  private let reader: TranscriptReader
  private var output: [UInt8] = []
  private var now: Nanoseconds = 0
  private var steps = 0
  /// The step whose lines are being read.
  private var current: TranscriptStep?
  private var expected = ExpectedEvents()
  /// The open instances, the latest last.
  private var handles: [String] = []
  /// The effects of requests, for their cancels.
  private var effects: [Request: String] = [:]

  private struct Request: Hashable {
    let handle: String
    let id: UInt64
  }

  /// The lines of a file.
  ///
  /// - Throws: `TranscriptError` if the file can't be read any more.
  package static func lines(of file: TranscriptFile) throws(TranscriptError) -> [UInt8] {
    var transcript = UnplayedTranscript(reader: try TranscriptReader(file.source))
    do {
      while let line = try transcript.reader.next() {
        try transcript.reader.withLine { try transcript.take(line, $0) }
      }
    } catch { throw TranscriptError(invalid: SessionFailure(error).description) }
    transcript.finishStep()
    return transcript.output
  }

  private init(reader: TranscriptReader) { self.reader = reader }

  // MARK: Lines

  private mutating func take(_ line: ScriptLine, _ bytes: Span<UInt8>) throws(ScriptError) {
    switch line {
    case .nothing: break
    case .rewritten(let other): try take(try ScriptLine.parse(other.span), other.span)
    case .expectation(let expectation):
      try expected.append(expectation, bytes, at: reader.number...reader.lastNumber)
    case .input(let input): begin(.input(input), bytes)
    case .command(let command): if command.role == .step { begin(.command(command), bytes) }
    }
  }

  private mutating func begin(_ action: TranscriptStep.Action, _ bytes: Span<UInt8>) {
    finishStep()
    current = TranscriptStep(
      action: action, text: Array(copying: bytes), numbers: reader.number...reader.lastNumber,
      expected: 0..<0)
  }

  private mutating func finishStep() {
    guard let step = current else { return }
    current = nil
    steps += 1
    let record = StepRecord(step, number: steps, at: now, instance: handles.last)
    record.append(to: &output)
    if let handle = record.instance, record.action == .open { handles.append(handle) }
    if record.action == .close { handles.removeAll { $0 == record.instance } }
    let end = now + span(of: step)
    let alone = handles.last ?? record.instance ?? ""
    for line in expected.lines { append(line, of: alone, start: now, end: end) }
    now = end
    expected.removeAll()
  }

  /// How much time passes in a step: for `+ idle`, up to its last line that says so.
  private func span(of step: TranscriptStep) -> Nanoseconds {
    guard case .command(let command) = step.action else { return 0 }
    if case .advance(let span) = command { return span }
    return expected.lines.compactMap(\.offset).max() ?? 0
  }

  private mutating func append(
    _ line: ExpectedEvents.Line, of alone: String, start: Nanoseconds, end: Nanoseconds
  ) {
    let handle = line.handle.isEmpty ? alone : expected.text(line.handle)
    let request = Request(handle: handle, id: line.id)
    let (kind, label, name) =
      switch line.kind {
      case .output: ("output", "name", expected.text(line.name))
      case .request: ("request", "effect", expected.text(line.name))
      case .cancel: ("cancel", "effect", effects[request] ?? "")
      }
    if line.kind == .request { effects[request] = name }
    output += Array("{\"kind\":\"\(kind)\",\"t\":".utf8)
    TimeSpan.appendSeconds(line.offset.map { start + $0 } ?? end, to: &output)
    output += Array(",\"instance\":".utf8)
    CanonicalJSON.appendString(handle, to: &output)
    if line.kind != .output { output += Array(",\"id\":\(line.id)".utf8) }
    output += Array(",\"\(label)\":".utf8)
    CanonicalJSON.appendString(name, to: &output)
    if !line.value.isEmpty {
      output += Array(",\"value\":".utf8) + expected.bytes[line.value]
    }
    output += Array("}\n".utf8)
  }
}

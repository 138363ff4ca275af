/// A transcript that was read once to its end, so that any mistake in it is reported before
/// anything happens.
package struct TranscriptFile {
  package let source: TranscriptSource
  package let summary: ScriptSummary
  /// Whether its last line is cut off.
  package let isCut: Bool
  /// Whether it has no content.
  package let isEmpty: Bool

  package var path: String { source.path }

  /// - Throws: `TranscriptError` if the file isn't a valid transcript.
  package init(_ path: String) throws(TranscriptError) {
    try self.init(TranscriptSource(path))
  }

  package init(_ source: TranscriptSource) throws(TranscriptError) {
    self.source = source
    (summary, isCut, isEmpty) = try Self.read(source)
  }

  /// Reads a transcript that is to be tested.
  ///
  /// - Throws: `TranscriptError` if the file isn't a valid transcript, or if it breaks off.
  package static func whole(_ source: TranscriptSource) throws(TranscriptError) -> TranscriptFile {
    let file = try TranscriptFile(source)
    if let flaw = file.flaw { throw TranscriptError(invalid: "\(file.path): \(flaw)") }
    return file
  }

  private static func read(
    _ source: TranscriptSource
  ) throws(TranscriptError) -> (ScriptSummary, isCut: Bool, isEmpty: Bool) {
    var summary = ScriptSummary()
    var isEmpty = true
    let reader = try TranscriptReader(source)
    do {
      while let line = try reader.next() {
        isEmpty = false
        if case .expectation = line, !summary.hasStep { throw Self.noStep }
        guard line.role != .control else { throw Self.control }
        try summary.take(line)
      }
      return (summary, reader.isCut, isEmpty && !reader.isCut)
    } catch let error as ScriptError {
      throw TranscriptError(invalid: reader.report(error), line: reader.number)
    } catch {
      throw TranscriptError(invalid: SessionFailure(error).description)
    }
  }

  /// The error of an expectation without a step before it.
  static let noStep = ScriptError(
    "this line says what a step emits, but no step comes before it: an input, time that passes,"
      + " or @open.",
    at: 0)

  /// The error of a line that only a live session takes.
  private static let control = ScriptError(
    "only \"vmhost run\" takes this line, as no transcript goes elsewhere.", at: 0,
    code: .unsupported)

  /// Whether it is an unfinished recording.
  package var breaksOff: Bool { summary.isRecorded && !summary.isEnded }

  /// The reason why the file is incomplete; nil if it is complete.
  package var flaw: String? {
    if isEmpty {
      "it is empty: perhaps a recording ended before its first step."
    } else if isCut {
      "the last line is cut off: a line feed must end it."
    } else if breaksOff {
      "the recording breaks off: it has @recorded, but no @end."
    } else {
      nil
    }
  }

  /// The folder of the file.
  var folder: String? { source.folder }

  /// The names of the secrets in its configs, and in those of its flow.
  ///
  /// - Parameter fence: where the flow may be; nil for anywhere.
  package func secrets(within fence: PathFence? = nil) -> Set<String> {
    guard let flow = summary.flow else { return summary.secrets }
    let path = Files.path(flow, from: folder)
    // Using the flow reports that it may not be there.
    if let fence, (try? fence.check(flow, at: path)) == nil { return summary.secrets }
    return summary.secrets.union(FlowRules.secrets(inFile: path))
  }
}

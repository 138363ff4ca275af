/// A transcript in its one canonical form.
package enum CanonicalTranscript {
  /// What is wrong with a transcript, in which of its lines.
  package struct LineError: Error, Sendable {
    package let error: ScriptError
    /// From 1; where a value goes over several lines, the first one's.
    package let number: Int
    package let line: [UInt8]

    package func report(source: String) -> String {
      error.report(source: source, number: number, line: line.span)
    }
  }

  /// Writes each line canonically, with LF at its end; comments and blank lines stay as they are.
  package static func rewrite(_ transcript: [UInt8]) throws(LineError) -> [UInt8] {
    var feed = LineReader()
    feed.fill { $0 = transcript }
    var output: [UInt8] = []
    output.reserveCapacity(transcript.count)
    do throws(ScriptError) {
      while let line = try feed.next(atEnd: true) {
        let storage = feed.storage
        let bytes = storage.span.extracting(feed.line)
        try TranscriptWriter.append(line, of: bytes, to: &output)
      }
    } catch {
      throw LineError(error: error, number: feed.number, line: Array(feed.storage[feed.line]))
    }
    return output
  }
}

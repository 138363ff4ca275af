/// Rewrites transcripts in their canonical form.
package enum CanonicalTranscript {
  /// What is wrong with a transcript, and in which line.
  package struct LineError: Error, Sendable {
    package let error: ScriptError
    /// The number of the line, from 1. If a value spans several lines, it is the first one's.
    package let number: Int
    package let line: [UInt8]

    package func report(source: String) -> String {
      error.report(source: source, number: number, line: line.span)
    }
  }

  /// Writes each line in canonical form, with LF at its end. Comments and blank lines stay as they
  /// are.
  ///
  /// - Throws: the error of the first line that isn't one of a transcript.
  package static func rewrite(_ transcript: [UInt8]) throws(LineError) -> [UInt8] {
    var reader = LineReader()
    reader.fill { $0 = transcript }
    var output: [UInt8] = []
    output.reserveCapacity(transcript.count)
    do throws(ScriptError) {
      while let line = try reader.next(atEnd: true) {
        let storage = reader.storage
        let bytes = storage.span.extracting(reader.line)
        try TranscriptWriter.append(line, of: bytes, to: &output)
      }
    } catch {
      throw LineError(
        error: error, number: reader.number, line: Array(reader.storage[reader.line]))
    }
    return output
  }
}

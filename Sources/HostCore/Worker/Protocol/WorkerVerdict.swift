/// What a worker says of a transcript that it played itself, with an engine beside the plugin.
///
/// It is believed only where nothing is at stake but the plugin's own tests.
package struct WorkerVerdict: Equatable, Sendable {
  package enum Finding: UInt8, Sendable {
    /// Each step emitted what its lines say.
    case asWritten = 1
    /// Something else happened; the host has to look what.
    case otherwise
    /// It is not a transcript that can be played so, and nothing has happened.
    case notPlayed
  }

  package let finding: Finding
  /// How many steps there were.
  package let steps: Int

  package init(_ finding: Finding, steps: Int = 0) {
    self.finding = finding
    self.steps = steps
  }

  /// Longer ones are the host's: a worker must not run out of memory for them.
  package static let maxTranscriptBytes = 1 << 18
  /// A worker that has not answered by then is stuck, or the transcript is not a small one.
  static let patience: Nanoseconds = 1_000_000_000

  /// Reads the payload of a `played`; nil if it can't be the answer to this exchange.
  package init?(_ payload: Span<UInt8>, exchange: UInt32) {
    var reader = ByteReader()
    guard let number: UInt32 = reader.read(payload), number == exchange,
      let code: UInt8 = reader.read(payload), let finding = Finding(rawValue: code),
      let steps: UInt32 = reader.read(payload), reader.offset == payload.count
    else { return nil }
    self.init(finding, steps: Int(steps))
  }

  /// Of the payload of a `played`, in bytes.
  static let size = 9

  func payload(exchange: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    ByteWriter.append(exchange, to: &bytes)
    bytes.append(finding.rawValue)
    ByteWriter.append(UInt32(clamping: steps), to: &bytes)
    return bytes
  }
}

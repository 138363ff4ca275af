/// A worker's verdict on a transcript that it played itself, with an engine beside the plugin.
///
/// The host trusts it only where it affects nothing but the plugin's own tests.
package struct WorkerVerdict: Equatable, Sendable {
  package enum Finding: UInt8, Sendable {
    /// Each step emitted what its lines expect.
    case asWritten = 1
    /// Something else happened. The host has to find out what.
    case otherwise
    /// A worker can't play this transcript, so the verdict means nothing.
    case notPlayed
  }

  package let finding: Finding
  /// The number of steps.
  package let steps: Int

  package init(_ finding: Finding, steps: Int = 0) {
    self.finding = finding
    self.steps = steps
  }

  /// The longest transcript for a worker. The host plays longer ones itself, so that a worker
  /// doesn't run out of memory.
  package static let maxTranscriptBytes = 1 << 18
  /// The time limit for an answer. A slower worker hangs, or the transcript is not a small one.
  static let timeLimit: Nanoseconds = 1_000_000_000

  /// Parses the payload of a `played` message. Returns nil if it can't be the answer to this
  /// exchange.
  package init?(_ payload: Span<UInt8>, exchange: UInt32) {
    var reader = ByteReader()
    guard let number: UInt32 = reader.read(payload), number == exchange,
      let code: UInt8 = reader.read(payload), let finding = Finding(rawValue: code),
      let steps: UInt32 = reader.read(payload), reader.offset == payload.count
    else { return nil }
    self.init(finding, steps: Int(steps))
  }

  /// The size of the payload of a `played` message in bytes.
  static let size = 9

  func payload(exchange: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    ByteWriter.append(exchange, to: &bytes)
    bytes.append(finding.rawValue)
    ByteWriter.append(UInt32(clamping: steps), to: &bytes)
    return bytes
  }
}

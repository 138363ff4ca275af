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
  /// How long it took.
  package var time: Nanoseconds

  package init(_ finding: Finding, steps: Int = 0, time: Nanoseconds = 0) {
    self.finding = finding
    self.steps = steps
    self.time = time
  }

  /// The longest transcript for a worker. The host plays longer ones itself, so that a worker
  /// doesn't run out of memory.
  package static let maxTranscriptBytes = 1 << 18
  /// How many transcripts a worker gets at once, and how many bytes they may have.
  package static let maxBatch = 16
  package static let maxBatchBytes = maxTranscriptBytes
  /// The time limit for a transcript. A slower worker hangs, or the transcript is not a small one.
  static let timeLimit: Nanoseconds = 1_000_000_000
  /// The time after which a worker begins no further transcript of a batch, since the host can't
  /// see its progress.
  static let batchTime: Nanoseconds = 10_000_000

  /// Parses what a worker has written. Returns nil if it is no verdict.
  package init?(_ bytes: Span<UInt8>) {
    var reader = ByteReader()
    guard let code: UInt8 = reader.read(bytes), let finding = Finding(rawValue: code),
      let steps: UInt32 = reader.read(bytes), let time: Int64 = reader.read(bytes), time >= 0,
      reader.offset == bytes.count
    else { return nil }
    self.init(finding, steps: Int(steps), time: time)
  }

  /// The size of an encoded verdict in bytes.
  package static let size = 13

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(finding.rawValue)
    ByteWriter.append(UInt32(clamping: steps), to: &bytes)
    ByteWriter.append(time, to: &bytes)
    return bytes
  }
}

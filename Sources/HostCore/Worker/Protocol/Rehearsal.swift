/// What a worker says of a transcript that it has played with an engine of its own.
///
/// It is believed only where nothing is at stake but the plugin's own tests.
package struct Rehearsal: Equatable, Sendable {
  package enum Verdict: UInt8, Sendable {
    /// Each step emitted what its lines say.
    case asWritten = 1
    /// Something else happened; the host has to look what.
    case otherwise
    /// It is not a transcript that can be played so, and nothing has happened.
    case notPlayed
  }

  package let verdict: Verdict
  /// How many steps there were.
  package let steps: Int

  package init(_ verdict: Verdict, steps: Int = 0) {
    self.verdict = verdict
    self.steps = steps
  }

  /// What a worker does when it is asked to play a transcript, with the plugin that it has loaded.
  package typealias Player =
    (_ plugin: any PluginConnection, _ transcript: [UInt8]) -> Rehearsal

  /// Longer ones are the host's: a worker must not run out of memory for them.
  package static let longestTranscript = 1 << 18
  /// A worker that has not answered by then is stuck, or the transcript is not a small one.
  static let patience: Nanoseconds = 1_000_000_000

  /// Reads the payload of a `rehearsed`; nil if it can't be the answer to this exchange.
  package init?(_ payload: Span<UInt8>, exchange: UInt32) {
    var reader = ByteReader()
    guard let number: UInt32 = reader.read(payload), number == exchange,
      let code: UInt8 = reader.read(payload), let verdict = Verdict(rawValue: code),
      let steps: UInt32 = reader.read(payload), reader.offset == payload.count
    else { return nil }
    self.init(verdict, steps: Int(steps))
  }

  /// Of the payload of a `rehearsed`, in bytes.
  static let size = 9

  func payload(exchange: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    ByteWriter.append(exchange, to: &bytes)
    bytes.append(verdict.rawValue)
    ByteWriter.append(UInt32(clamping: steps), to: &bytes)
    return bytes
  }
}

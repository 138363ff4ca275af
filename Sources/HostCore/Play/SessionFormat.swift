/// Writes a session for people or for programs. Each method appends whole lines.
package protocol SessionFormat: Sendable {
  /// Appends the beginning, before the first event.
  mutating func appendBeginning(
    of session: SessionEngine, _ header: SessionHeader, to output: inout [UInt8])

  /// Appends events of a session.
  ///
  /// - Parameters:
  ///   - range: the events to append.
  ///   - start: the time from which the text format counts the offsets of events that are earlier
  ///     than the session's time; nil for no offsets.
  mutating func append(
    _ events: EventBatch, _ range: Range<Int>, of session: SessionEngine,
    since start: Nanoseconds?, to output: inout [UInt8])

  /// Appends what a session tells whoever sent it a line.
  func append(_ answer: SessionAnswer, of session: SessionEngine, to output: inout [UInt8])

  /// Appends a step of a transcript, without what it emitted.
  func append(_ step: TranscriptStep, to output: inout [UInt8])

  /// Appends that a step emitted something else than its lines say.
  func append(
    difference summary: String, line number: Int, _ session: SessionEngine,
    to output: inout [UInt8])

  /// Appends that a step was skipped because of an earlier difference.
  func append(
    skipped summary: String, line number: Int, _ session: SessionEngine, to output: inout [UInt8])

  /// Appends the end of a session.
  ///
  /// - Parameters:
  ///   - status: the exit status.
  ///   - message: the error that stopped the session; empty if there was none.
  func appendEnd(
    of session: SessionEngine, status: Int32, message: String, to output: inout [UInt8])
}

extension SessionFormat {
  package func appendBeginning(
    of session: SessionEngine, _ header: SessionHeader, to output: inout [UInt8]
  ) {}

  package func append(_ step: TranscriptStep, to output: inout [UInt8]) {}

  package func append(
    difference summary: String, line number: Int, _ session: SessionEngine,
    to output: inout [UInt8]
  ) {}

  package func append(
    skipped summary: String, line number: Int, _ session: SessionEngine, to output: inout [UInt8]
  ) {}

  package func appendEnd(
    of session: SessionEngine, status: Int32, message: String, to output: inout [UInt8]
  ) {}
}

/// What a session doesn't know about its own run.
package struct SessionHeader: Sendable {
  /// The version of vmhost.
  package let version: String
  package let clock: SessionDriver.Clock
  /// The mode of the plugins' sandbox, or `in-process`.
  package let isolation: String

  package init(version: String, clock: SessionDriver.Clock, isolation: String) {
    self.version = version
    self.clock = clock
    self.isolation = isolation
  }
}

/// The names of the formats.
package enum SessionFormatName: String, Sendable {
  case text, jsonl

  /// - Parameter style: styles the parts of a text line for a terminal; nil for plain text.
  package func format(style: TextStyle?) -> any SessionFormat {
    switch self {
    case .text: TextFormat(style: style)
    case .jsonl: JSONLinesFormat()
    }
  }
}

/// How a session is written down for people or for programs. Each method appends whole lines.
package protocol SessionFormat: Sendable {
  /// What a reader gets to know first, before anything has happened.
  mutating func appendBeginning(
    of session: SessionEngine, _ header: SessionHeader, to output: inout [UInt8])

  /// Events that were taken from a session.
  ///
  /// - Parameters:
  ///   - range: which of them.
  ///   - start: the time from which text counts offsets, for events before the session's present;
  ///     nil for none.
  mutating func append(
    _ events: EventBatch, _ range: Range<Int>, of session: SessionEngine,
    since start: Nanoseconds?, to output: inout [UInt8])

  /// A line that a plugin printed.
  func append(
    printed text: String, by plugin: String, _ session: SessionEngine, to output: inout [UInt8])

  /// A step of a transcript, before what it emitted.
  func append(_ step: TranscriptStep, to output: inout [UInt8])

  /// That a step emitted something else than its lines say.
  func append(
    difference summary: String, line number: Int, _ session: SessionEngine,
    to output: inout [UInt8])

  /// How a session ended: the exit status, and the words of what stopped it, or none.
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

  package func appendEnd(
    of session: SessionEngine, status: Int32, message: String, to output: inout [UInt8]
  ) {}
}

/// What a session can't say of itself.
package struct SessionHeader: Sendable {
  /// The version of vmhost.
  package let version: String
  package let clock: SessionDriver.Clock
  /// Where plugins run: the mode of their sandbox, or `in-process`.
  package let isolation: String

  package init(version: String, clock: SessionDriver.Clock, isolation: String) {
    self.version = version
    self.clock = clock
    self.isolation = isolation
  }
}

/// The formats by name.
package enum SessionFormatName: String, Sendable {
  case text, jsonl

  /// - Parameter style: marks parts of a text line for a terminal; nil for plain text.
  package func format(style: TextStyle?) -> any SessionFormat {
    switch self {
    case .text: TextFormat(style: style)
    case .jsonl: JSONLinesFormat()
    }
  }
}

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
  mutating func append(_ answer: SessionAnswer, of session: SessionEngine, to output: inout [UInt8])

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

extension SessionFormat {
  /// How many bytes are appended at once, so that many large events aren't in memory twice.
  private static var partSize: Int { 1 << 20 }

  /// Appends some of the session's events, with the answers in their places.
  ///
  /// - Parameters:
  ///   - place: where to begin; then where to go on.
  ///   - showsSteps: whether the output says what makes each step.
  package mutating func appendPart(
    of session: SessionEngine, from place: inout SessionPlace, showsSteps: Bool,
    to output: inout [UInt8]
  ) {
    place.isBehindChange = false
    let (events, answers) = (session.events, session.answers)
    let start = output.count
    while output.count - start < Self.partSize, !place.isBehindChange {
      let hasAnswer = place.answer < answers.count
      let end = hasAnswer ? answers[place.answer].position : events.count
      if place.event < end {
        let part = place.event..<events.endOfPart(from: place.event, in: place.event..<end)
        append(events, part, of: session, since: nil, to: &output)
        place.event = part.upperBound
      } else if hasAnswer {
        let answer = answers[place.answer]
        place.answer += 1
        if answer.doneStep == nil {
          if case .changed = answer.kind { place.isBehindChange = true }
          if case .step = answer.kind, !showsSteps { continue }
        }
        append(answer, of: session, to: &output)
      } else {
        return
      }
    }
  }
}

/// A place among the events and answers of a session.
package struct SessionPlace {
  /// How many events come before it.
  fileprivate var event = 0
  /// How many answers come before it.
  fileprivate var answer = 0
  /// Whether it is directly behind an answer that says that the session went to another step.
  package fileprivate(set) var isBehindChange = false

  package init() {}

  /// Whether nothing comes behind it.
  package func isEnd(of session: SessionEngine) -> Bool {
    event == session.events.count && answer == session.answers.count
  }
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

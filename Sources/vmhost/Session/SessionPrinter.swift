import Basics
import HostCore

/// Prints a session in a format.
final class SessionPrinter {
  private let output: Output
  private let header: SessionHeader
  private var format: any SessionFormat
  private let makeFormat: () -> any SessionFormat
  private var hasBegun = false
  /// Whether the output says what makes each step.
  private let showsSteps: Bool
  /// What a page shows of the session; nil if none is wanted.
  private let page: SessionLines?
  /// Whether a step failed, because of the plugin's code or of the flow.
  private(set) var hasFault = false

  init(
    format: SessionFormatName, style: Style, output: Output, clock: SessionDriver.Clock,
    isolation: PluginIsolation, showsSteps: Bool = false, page: SessionLines? = nil
  ) {
    self.output = output
    header = SessionHeader(
      version: CommandTable.vmhost.version, clock: clock, isolation: isolation.name)
    makeFormat = { format.format(style: style.isColoured ? TextStyle(style) : nil) }
    self.format = makeFormat()
    self.showsSteps = showsSteps
    self.page = page
  }

  /// Prints all new events of the session, and its answers in their places.
  func print(_ session: SessionEngine) {
    if session.events.hasFaults { hasFault = true }
    begin(session)
    page?.appendNew(of: session)
    var place = SessionPlace()
    while !place.isEnd(of: session) {
      output.write {
        format.appendPart(of: session, from: &place, showsSteps: showsSteps, to: &$0)
      }
      // The session's instances may be others now.
      if place.isBehindChange { format = makeFormat() }
    }
  }

  /// Prints events in parts, so that many large ones aren't in memory twice.
  private func print(
    _ range: Range<Int>, of events: EventBatch, _ session: SessionEngine, since start: Nanoseconds?
  ) {
    var first = range.lowerBound
    while first < range.upperBound {
      let end = events.endOfPart(from: first, in: range)
      output.write {
        format.append(events, first..<end, of: session, since: start, to: &$0)
      }
      page?.append { $0.append(events, first..<end, of: session, since: nil, to: &$1) }
      first = end
    }
  }

  /// Prints a step of a transcript, without what it emitted.
  func print(_ step: TranscriptStep, _ comparison: StepComparison) {
    if comparison.fault != nil { hasFault = true }
    print(step, comparison.session)
  }

  /// Prints a step of a transcript that emitted nothing.
  func print(_ step: TranscriptStep, _ session: SessionEngine) {
    begin(session)
    output.write { format.append(step, to: &$0) }
  }

  /// Prints some of what a step emitted.
  func print(_ range: Range<Int>, of comparison: StepComparison) {
    print(range, of: comparison.events, comparison.session, since: comparison.step.start)
  }

  /// Prints that a step emitted something else than its lines say.
  func print(difference summary: String, line number: Int, _ session: SessionEngine) {
    output.write { format.append(difference: summary, line: number, session, to: &$0) }
  }

  /// Prints that a step was skipped because of an earlier difference.
  func print(skipped summary: String, line number: Int, _ session: SessionEngine) {
    output.write { format.append(skipped: summary, line: number, session, to: &$0) }
  }

  /// Prints the beginning, if it wasn't printed yet: at the first event at the latest. Until then,
  /// a script may change the options in it.
  func begin(_ session: SessionEngine) {
    guard !hasBegun else { return }
    hasBegun = true
    output.write { format.appendBeginning(of: session, header, to: &$0) }
    page?.append { $0.appendBeginning(of: session, header, to: &$1) }
  }

  /// Prints the end of the session, with the message of the error that stopped it.
  func end(_ session: SessionEngine, _ outcome: Outcome, _ message: String) {
    begin(session)
    output.write {
      format.appendEnd(of: session, status: outcome.status, message: message, to: &$0)
    }
    page?.append {
      $0.appendEnd(of: session, status: outcome.status, message: message, to: &$1)
    }
  }
}

extension TextStyle {
  init(_ style: Style) {
    self.init(sigil: style.value, handle: style.handle, port: style.port)
  }
}

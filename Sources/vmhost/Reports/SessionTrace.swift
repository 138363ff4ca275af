import Basics
import CanonicalJSON
import HostCore

/// Collects what a page shows of a transcript while it is played: a line for each step, and what it
/// led to.
final class SessionTrace: TranscriptObserver {
  private let source: String
  private let header: SessionHeader
  private var format = JSONLinesFormat()
  private var lines: [UInt8] = []
  private var hasBegun = false
  private var steps = 0
  /// Whether the plugin did something else than the transcript says.
  private(set) var hasDifference = false

  /// - Parameters:
  ///   - source: the path of the transcript.
  ///   - isolation: the mode of the plugins' sandbox, or `in-process`.
  init(source: String, isolation: String) {
    self.source = source
    header = SessionHeader(version: HostVersion.number, clock: .virtual, isolation: isolation)
  }

  // MARK: Events

  func didPlay(
    _ step: TranscriptStep, _ comparison: StepComparison, _ difference: StepDifference?
  ) -> Bool {
    let session = comparison.session
    append(session) { bytes in
      append(step, session, to: &bytes)
      format.append(comparison.events, comparison.range, of: session, since: nil, to: &bytes)
      guard let difference else { return }
      appendDifference(
        difference.summary, difference.line, difference.lines, session, to: &bytes)
    }
    return false
  }

  func didSkip(_ step: TranscriptStep, _ unplayed: UnplayedStep) -> Bool {
    guard let session else { return false }
    append(session) { bytes in
      append(step, session, to: &bytes)
      if unplayed.isDifference {
        appendDifference(unplayed.summary, unplayed.line, [], session, to: &bytes)
      } else {
        format.append(skipped: unplayed.summary, line: unplayed.line, session, to: &bytes)
      }
    }
    return false
  }

  func didLeave(_ request: LeftRequest) {
    guard let session else { return }
    append(session) { bytes in
      appendDifference(request.message, request.line, [], session, to: &bytes)
    }
  }

  func didEnd(_ session: SessionEngine) {
    append(session) { bytes in
      let events = session.events
      format.append(events, 0..<events.count, of: session, since: nil, to: &bytes)
    }
  }

  /// The session that is played, once it has made a step.
  private var session: SessionEngine?

  private func append(_ session: SessionEngine, _ body: (inout [UInt8]) -> Void) {
    self.session = session
    if !hasBegun {
      hasBegun = true
      Self.appendViewModels(of: session, to: &lines)
      format.appendBeginning(of: session, header, to: &lines)
    }
    body(&lines)
  }

  private func append(_ step: TranscriptStep, _ session: SessionEngine, to bytes: inout [UInt8]) {
    steps += 1
    StepRecord(step, number: steps, in: session).append(to: &bytes)
  }

  // MARK: Lines

  /// All lines of the session.
  ///
  /// - Parameters:
  ///   - verdict: what the test of the transcript found; nil for none.
  ///   - message: what stopped the session; empty for nothing.
  func whole(verdict: String?, status: Int32, message: String) -> [UInt8] {
    var whole = Self.head(source, isPlayed: true, verdict: verdict, message: message)
    whole += lines
    guard let session else { return whole }
    format.appendEnd(of: session, status: status, message: message, to: &whole)
    return whole
  }

  /// The first line of a session's.
  static func head(
    _ source: String, isPlayed: Bool, verdict: String? = nil, message: String = ""
  ) -> [UInt8] {
    var line = Array("{\"kind\":\"trace\"".utf8)
    append("source", source, to: &line)
    line += Array(",\"played\":\(isPlayed)".utf8)
    if let verdict { append("verdict", verdict, to: &line) }
    if !message.isEmpty { append("message", message, to: &line) }
    return line + Array("}\n".utf8)
  }

  /// Appends a line for each view model of the session's plugins, with the names of its ports.
  static func appendViewModels(of session: SessionEngine, to bytes: inout [UInt8]) {
    for manifest in session.manifests {
      for viewModel in manifest.viewModels {
        bytes += Array("{\"kind\":\"viewModel\"".utf8)
        append("plugin", manifest.id, to: &bytes)
        append("id", viewModel.id, to: &bytes)
        for (kind, names) in [
          ("inputs", viewModel.inputs.map(\.name)), ("states", viewModel.states.map(\.name)),
          ("signals", viewModel.signals.map(\.name)), ("requests", viewModel.requests.sorted()),
        ] {
          bytes += Array(",\"\(kind)\":".utf8)
          JSONValue.array(names.map(JSONValue.string)).append(to: &bytes)
        }
        bytes += Array("}\n".utf8)
      }
    }
  }

  private func appendDifference(
    _ message: String, _ number: Int, _ lines: [DiffLine], _ session: SessionEngine,
    to bytes: inout [UInt8]
  ) {
    hasDifference = true
    bytes += Array("{\"kind\":\"difference\",\"t\":".utf8)
    TimeSpan.appendSeconds(session.now, to: &bytes)
    if number > 0 { bytes += Array(",\"line\":\(number)".utf8) }
    Self.append("message", message, to: &bytes)
    bytes += Array(",\"lines\":".utf8)
    JSONValue.array(lines.map(\.json)).append(to: &bytes)
    bytes += Array("}\n".utf8)
  }

  private static func append(_ name: String, _ text: String, to bytes: inout [UInt8]) {
    bytes += Array(",\"\(name)\":".utf8)
    CanonicalJSON.appendString(text, to: &bytes)
  }
}

extension DiffLine {
  /// The line for a page.
  var json: JSONValue {
    .object([
      "side": side.map { .string($0.rawValue) } ?? .null, "text": .string(text),
    ])
  }
}

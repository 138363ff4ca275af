import CanonicalJSON
import HostCore

/// Prints a session: its events, and in JSON Lines its beginning and its end.
final class SessionPrinter {
  static let schemaVersion = 1

  private let format: EventPrinter.Format
  private let output: Output
  private var events: EventPrinter
  private let clock: SessionDriver.Clock
  private let isolation: Isolation
  private var hasBegun = false
  /// What plugins printed before the session began.
  private var early: [(plugin: String, line: String)] = []
  /// Whether a step failed: the plugin's own code did, or the flow.
  private(set) var hasFault = false

  init(
    format: EventPrinter.Format, style: Style, output: Output, clock: SessionDriver.Clock,
    isolation: Isolation
  ) {
    self.format = format
    self.isolation = isolation
    self.clock = clock
    self.output = output
    events = EventPrinter(
      format: format,
      style: style.isColoured
        ? TextStyle(sigil: style.value, handle: style.handle, port: style.port) : nil)
  }

  /// Prints what a plugin printed, as a log line.
  func print(line text: String, of plugin: String, _ session: SessionEngine) {
    // A plugin that is being loaded isn't in the line that has to come first.
    guard hasBegun else { return early.append((plugin, text)) }
    guard format == .jsonl else {
      return output.write { $0 += Array("# \(plugin) printed: \(text)\n".utf8) }
    }
    line("log", session) { bytes in
      bytes += Array(",\"plugin\":".utf8)
      CanonicalJSON.appendString(plugin, to: &bytes)
      bytes += Array(",\"level\":\"info\",\"message\":".utf8)
      CanonicalJSON.appendString(text, to: &bytes)
    }
  }

  func print(_ session: SessionEngine) {
    if session.events.hasFaults { hasFault = true }
    begin(session)
    output.write { bytes in events.appendEvents(of: session, to: &bytes) }
  }

  /// Prints a step of a transcript: in text its line, what it emitted follows.
  func print(_ step: TranscriptStep, _ comparison: StepComparison) {
    if comparison.fault != nil { hasFault = true }
    begin(comparison.session)
    if format == .text { output.write { bytes in step.append(to: &bytes) } }
  }

  /// Prints some of what a step emitted.
  func print(_ range: Range<Int>, of comparison: StepComparison) {
    output.write { bytes in
      events.append(
        comparison.events, range, of: comparison.session, since: comparison.step.start, to: &bytes)
    }
  }

  /// Prints that a step emitted something else than its lines say.
  func print(difference summary: String, line number: Int, _ session: SessionEngine) {
    guard format == .jsonl else { return }
    line("difference", session) { bytes in
      bytes += Array(",\"line\":\(number),\"message\":".utf8)
      CanonicalJSON.appendString(summary, to: &bytes)
    }
  }

  /// What a reader of JSON Lines gets to know first. It is written once, and at the first event if
  /// not before: until then a script may change what it says.
  func begin(_ session: SessionEngine) {
    guard !hasBegun else { return }
    hasBegun = true
    defer {
      for (plugin, text) in early { print(line: text, of: plugin, session) }
      early = []
    }
    guard format == .jsonl else { return }
    let plugins = session.connections.map { plugin in
      var members: [String: JSONValue] = [
        "id": .string(plugin.manifest.id), "version": .string(plugin.manifest.version),
      ]
      members["sha256"] = plugin.digest.map(JSONValue.string)
      return JSONValue.object(members)
    }
    let options = session.options
    line("session", session) { bytes in
      bytes += Array(",\"schema\":\(Self.schemaVersion)".utf8)
      bytes += Array(",\"vmhost\":\"\(CommandTable.vmhost.version)\"".utf8)
      bytes += Array(",\"clock\":\"\(clock.rawValue)\",\"seed\":\(options.seed),\"time\":".utf8)
      CanonicalJSON.appendString(Timestamp.text(options.epoch), to: &bytes)
      bytes += Array(",\"locale\":".utf8)
      CanonicalJSON.appendString(options.locale, to: &bytes)
      bytes += Array(",\"timeZone\":".utf8)
      CanonicalJSON.appendString(options.timeZone, to: &bytes)
      bytes += Array(",\"sandbox\":\"\(isolation.name)\",\"plugins\":".utf8)
      JSONValue.array(plugins).append(to: &bytes)
    }
  }

  /// How it ended: the exit status, and the words of what stopped it.
  func end(_ session: SessionEngine, _ outcome: Outcome, _ message: String) {
    begin(session)
    guard format == .jsonl else { return }
    line("end", session) { bytes in
      bytes += Array(",\"status\":\(outcome.status)".utf8)
      guard !message.isEmpty else { return }
      bytes += Array(",\"message\":".utf8)
      CanonicalJSON.appendString(message, to: &bytes)
    }
  }

  private func line(
    _ kind: String, _ session: SessionEngine, _ members: (inout [UInt8]) -> Void
  ) {
    output.write { bytes in
      bytes += Array("{\"kind\":\"\(kind)\",\"t\":".utf8)
      TimeSpan.appendSeconds(session.now, to: &bytes)
      members(&bytes)
      bytes += Array("}\n".utf8)
    }
  }
}

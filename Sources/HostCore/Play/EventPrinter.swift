import CanonicalJSON

/// Writes a session's events for people or for programs.
package struct EventPrinter: Sendable {
  package enum Format: String, Sendable { case text, jsonl }

  package let format: Format
  /// Marks parts of a text line for a terminal.
  package var style: TextStyle?
  /// What the lines of outputs have in common, by instance and port.
  private var prefixes: [Int64: [UInt8]] = [:]
  /// The beginning of the last output's line, up to its value; and up to its time.
  private var lineHead: [UInt8] = []
  private var timeText: [UInt8] = []
  private var lastKey: Int64 = -1
  private var lastTime: Nanoseconds = -1

  package init(format: Format, style: TextStyle? = nil) {
    self.format = format
    self.style = style
  }

  /// Appends the lines of all events that wait in the session.
  package mutating func appendEvents(of session: SessionEngine, to output: inout [UInt8]) {
    append(session.events, of: session, to: &output)
  }

  /// Appends the lines of events that were taken from a session.
  ///
  /// - Parameter start: the time from which text counts offsets, for events before the session's
  ///   present; nil for none.
  package mutating func append(
    _ events: EventBatch, _ range: Range<Int>? = nil, of session: SessionEngine,
    since start: Nanoseconds? = nil, to output: inout [UInt8]
  ) {
    for record in events.records[range ?? 0..<events.count] {
      let offset = start.flatMap { record.time < session.now ? record.time - $0 : nil }
      switch (format, record.kind) {
      case (.text, _): appendText(record, events, session, offset, to: &output)
      case (.jsonl, .output): appendOutput(record, events, session, to: &output)
      case (.jsonl, _): appendOther(record, events, session, to: &output)
      }
    }
  }

  // MARK: JSON Lines

  private mutating func appendOutput(
    _ record: EventBatch.Record, _ events: EventBatch, _ session: SessionEngine,
    to output: inout [UInt8]
  ) {
    let key = Int64(record.instance) << 32 | Int64(record.port)
    if record.time != lastTime || key != lastKey { begin(record, key, events, session) }
    output.append(lineHead.span)
    output.append(events.bytes.span.extracting(record.value))
    output.append(0x7d)
    output.append(0x0a)
  }

  /// Makes the beginning of an output's line.
  private mutating func begin(
    _ record: EventBatch.Record, _ key: Int64, _ events: EventBatch, _ session: SessionEngine
  ) {
    if record.time != lastTime {
      lastTime = record.time
      timeText.removeAll(keepingCapacity: true)
      timeText += Self.outputHead
      TimeSpan.appendSeconds(record.time, to: &timeText)
    }
    lastKey = key
    lineHead.removeAll(keepingCapacity: true)
    lineHead += timeText
    if let known = prefixes[key] {
      lineHead += known
    } else {
      let made = prefix(record, events, session)
      prefixes[key] = made
      lineHead += made
    }
  }

  private static let outputHead = Array("{\"kind\":\"output\",\"t\":".utf8)

  /// Instance and name of an output, which are the same each time.
  private func prefix(
    _ record: EventBatch.Record, _ events: EventBatch, _ session: SessionEngine
  ) -> [UInt8] {
    var prefix: [UInt8] = []
    appendInstance(record, session, to: &prefix)
    prefix += Array(",\"name\":".utf8)
    CanonicalJSON.appendString(utf8: events.bytes.span.extracting(record.name), to: &prefix)
    if !record.value.isEmpty { prefix += Array(",\"value\":".utf8) }
    return prefix
  }

  private func appendOther(
    _ record: EventBatch.Record, _ events: EventBatch, _ session: SessionEngine,
    to output: inout [UInt8]
  ) {
    let (kind, name, value) =
      switch record.kind {
      case .request: ("request", "effect", "value")
      case .cancel: ("cancel", "effect", "value")
      case .log: ("log", "level", "message")
      case .opened: ("open", "viewModel", "")
      case .closed: ("close", "", "")
      default: ("fault", "input", "message")
      }
    output += Array("{\"kind\":\"\(kind)\",\"t\":".utf8)
    TimeSpan.appendSeconds(record.time, to: &output)
    appendInstance(record, session, to: &output)
    if record.id != 0 { output += Array(",\"id\":\(record.id)".utf8) }
    if !name.isEmpty {
      output += Array(",\"\(name)\":".utf8)
      CanonicalJSON.appendString(utf8: events.bytes.span.extracting(record.name), to: &output)
    }
    if !record.value.isEmpty {
      output += Array(",\"\(value)\":".utf8)
      output.append(events.bytes.span.extracting(record.value))
    }
    output += Array("}\n".utf8)
  }

  private func appendInstance(
    _ record: EventBatch.Record, _ session: SessionEngine, to output: inout [UInt8]
  ) {
    output += Array(",\"instance\":".utf8)
    CanonicalJSON.appendString(session.handle(of: record), to: &output)
  }

  // MARK: Text

  private func appendText(
    _ record: EventBatch.Record, _ events: EventBatch, _ session: SessionEngine,
    _ offset: Nanoseconds?, to output: inout [UInt8]
  ) {
    let handle = session.handle(of: record)
    let name = events.name(of: record)
    let time = offset.map { "@\(TimeSpan.text($0)) " } ?? ""
    let prefix = session.names(record.instance) ? "\(style.handle(handle))." : ""
    switch record.kind {
    case .output:
      append("\(style.sigil("<")) \(time)\(prefix)\(style.port(name))", to: &output)
    case .request:
      append("\(style.sigil("?")) \(time)\(prefix)\(record.id) \(style.port(name))", to: &output)
    case .cancel:
      append("\(style.sigil("x")) \(time)\(prefix)\(record.id)", to: &output)
    case .log:
      append("# \(name) from \(handle):", to: &output)
    case .opened:
      append("# opened \(handle): \(name)", to: &output)
    case .closed:
      append("# closed \(handle)", to: &output)
    default:
      append("# fault of \(handle) in \"\(name)\":", to: &output)
    }
    if !record.value.isEmpty {
      TextValue.append(events.bytes.span.extracting(record.value), to: &output)
    }
    output.append(0x0a)
  }

  private func append(_ text: String, to output: inout [UInt8]) {
    output.append(contentsOf: text.utf8)
  }
}

/// How parts of a text line look on a terminal; each takes the bare text.
package struct TextStyle: Sendable {
  package let sigil: @Sendable (String) -> String
  package let handle: @Sendable (String) -> String
  package let port: @Sendable (String) -> String

  package init(
    sigil: @escaping @Sendable (String) -> String, handle: @escaping @Sendable (String) -> String,
    port: @escaping @Sendable (String) -> String
  ) {
    self.sigil = sigil
    self.handle = handle
    self.port = port
  }
}

extension TextStyle? {
  fileprivate func sigil(_ text: String) -> String { self?.sigil(text) ?? text }
  fileprivate func handle(_ text: String) -> String { self?.handle(text) ?? text }
  fileprivate func port(_ text: String) -> String { self?.port(text) ?? text }
}

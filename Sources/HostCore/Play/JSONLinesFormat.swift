import Basics
import CanonicalJSON

/// The format for programs: one JSON object per line.
package struct JSONLinesFormat: SessionFormat {
  package static let schemaVersion = 1

  /// The unchanging parts of output lines, one after the other.
  private var prefixes: [UInt8] = []
  /// Where each of them is, by instance and port.
  private var places: [Int64: Range<Int>] = [:]
  /// The beginning of the last output's line, up to its value.
  private var lineHead: [UInt8] = []
  /// The beginning of the last output's line, up to its time.
  private var timeText: [UInt8] = []
  private var lastKey: Int64 = -1
  private var lastTime: Nanoseconds = -1
  /// The beginning of the line that says that a line was carried out.
  private var doneHead: [UInt8] = []
  private var doneTime: Nanoseconds = -1

  package init() {}

  package mutating func append(
    _ events: EventBatch, _ range: Range<Int>, of session: SessionEngine,
    since start: Nanoseconds?, to output: inout [UInt8]
  ) {
    for record in events.records[range] {
      if record.isOf(.output) {
        appendOutput(record, events, session, to: &output)
      } else {
        appendOther(record, events, session, to: &output)
      }
    }
  }

  private mutating func appendOutput(
    _ record: EventBatch.Record, _ events: EventBatch, _ session: SessionEngine,
    to output: inout [UInt8]
  ) {
    let key = Int64(record.instance) << 32 | Int64(record.port)
    if record.time != lastTime || key != lastKey { begin(record, key, events, session) }
    output.append(lineHead.span, events.bytes.span.extracting(record.value), "}\n")
  }

  /// Updates the beginning of the output's line.
  private mutating func begin(
    _ record: EventBatch.Record, _ key: Int64, _ events: EventBatch, _ session: SessionEngine
  ) {
    if record.time != lastTime {
      lastTime = record.time
      timeText.removeAll(keepingCapacity: true)
      timeText.append("{\"kind\":\"output\",\"t\":")
      TimeSpan.appendSeconds(record.time, to: &timeText)
    }
    lastKey = key
    lineHead.removeAll(keepingCapacity: true)
    Self.append(timeText, timeText.indices, to: &lineHead)
    if let known = places[key] {
      Self.append(prefixes, known, to: &lineHead)
    } else {
      let made = prefix(record, events, session)
      places[key] = prefixes.count..<prefixes.count + made.count
      prefixes += made
      lineHead += made
    }
  }

  /// Borrows the bytes from the caller. A copy of the array would cost a reference count.
  private static func append(_ bytes: [UInt8], _ range: Range<Int>, to line: inout [UInt8]) {
    line.append(bytes.span.extracting(range))
  }

  /// The instance and name of an output, which are the same each time.
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
    if record.isOf(.print) { return appendPrint(record, events, to: &output) }
    let (kind, name, value) =
      switch record.kind {
      case .request: ("request", "effect", "value")
      case .cancel: ("cancel", "effect", "value")
      case .log: ("log", "level", "message")
      case .opened: ("open", "viewModel", "")
      case .closed: ("close", "", "")
      case .output: ("output", "name", "value")
      case .fault, .input, .reply, .error, .refusal, .violation, .death, .print:
        ("fault", "input", "message")
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
    output.append("}\n")
  }

  /// Appends a line that a plugin printed.
  private func appendPrint(
    _ record: EventBatch.Record, _ events: EventBatch, to output: inout [UInt8]
  ) {
    output += Array("{\"kind\":\"log\",\"t\":".utf8)
    TimeSpan.appendSeconds(record.time, to: &output)
    Self.append("plugin", events.name(of: record), to: &output)
    Self.append("level", "info", to: &output)
    Self.append("message", events.value(of: record), to: &output)
    output.append("}\n")
  }

  private func appendInstance(
    _ record: EventBatch.Record, _ session: SessionEngine, to output: inout [UInt8]
  ) {
    output += Array(",\"instance\":".utf8)
    CanonicalJSON.appendString(session.handle(of: record), to: &output)
  }

  // MARK: Other lines

  package func appendBeginning(
    of session: SessionEngine, _ header: SessionHeader, to output: inout [UInt8]
  ) {
    let plugins = session.connections.map { plugin in
      var members: [String: JSONValue] = [
        "id": .string(plugin.manifest.id), "version": .string(plugin.manifest.version),
      ]
      members["sha256"] = plugin.digest.map(JSONValue.string)
      return JSONValue.object(members)
    }
    let options = session.options
    appendLine("session", session, to: &output) { bytes in
      bytes += Array(",\"schema\":\(Self.schemaVersion)".utf8)
      bytes += Array(",\"vmhost\":\"\(header.version)\"".utf8)
      bytes += Array(",\"clock\":\"\(header.clock.rawValue)\"".utf8)
      bytes += Array(",\"seed\":\(options.seed)".utf8)
      Self.append("time", Timestamp.text(options.epoch), to: &bytes)
      Self.append("locale", options.locale, to: &bytes)
      Self.append("timeZone", options.timeZone, to: &bytes)
      bytes += Array(",\"sandbox\":\"\(header.isolation)\"".utf8)
      Self.append(missing: session.connections, to: &bytes)
      bytes += Array(",\"plugins\":".utf8)
      JSONValue.array(plugins).append(to: &bytes)
    }
  }

  /// Appends the layers of confinement that some plugin runs without.
  private static func append(missing connections: [any PluginConnection], to bytes: inout [UInt8]) {
    var names: [String] = []
    for name in connections.flatMap(\.missingLayers) where !names.contains(name) {
      names.append(name)
    }
    guard !names.isEmpty else { return }
    bytes += Array(",\"missing\":".utf8)
    JSONValue.array(names.map(JSONValue.string)).append(to: &bytes)
  }

  package mutating func append(
    _ answer: SessionAnswer, of session: SessionEngine, to output: inout [UInt8]
  ) {
    if let step = answer.doneStep {
      if let seq = answer.seq { append(done: step, seq, session, to: &output) }
    } else {
      append(other: answer, session, to: &output)
    }
  }

  /// There may be one for each input, so nothing is allocated here.
  private mutating func append(
    done step: Int, _ seq: UInt64, _ session: SessionEngine, to output: inout [UInt8]
  ) {
    if session.now != doneTime {
      doneTime = session.now
      doneHead.removeAll(keepingCapacity: true)
      doneHead.append("{\"kind\":\"done\",\"t\":")
      TimeSpan.appendSeconds(doneTime, to: &doneHead)
      doneHead.append(",\"seq\":")
    }
    DecimalDigits.with(seq) { output.append(doneHead.span, $0, ",\"step\":") }
    DecimalDigits.with(UInt64(step)) { output.append($0, Span(), "}\n") }
  }

  private func append(
    other answer: SessionAnswer, _ session: SessionEngine, to output: inout [UInt8]
  ) {
    switch answer.kind {
    case .done: break
    case .step(let record): record.append(to: &output)
    case .refused(let code, let message, let line):
      appendLine("refused", session, to: &output) { bytes in
        Self.append(answer.seq, to: &bytes)
        if let line { Self.append(line, to: &bytes) }
        Self.append("code", code.rawValue, to: &bytes)
        Self.append("message", message, to: &bytes)
      }
    case .passedOver(let message, let line):
      appendLine("log", session, to: &output) { bytes in
        Self.append(line, to: &bytes)
        Self.append("level", "debug", to: &bytes)
        Self.append("message", message, to: &bytes)
      }
    case .frame(let handle, let states):
      appendFrame(handle, states, seq: answer.seq, session, to: &output)
    case .viewModel(let viewModel, let plugin):
      appendLine("viewModel", session, to: &output) { bytes in
        Self.append("plugin", plugin, to: &bytes)
        viewModel.appendMembers(to: &bytes)
        Self.append(answer.seq, to: &bytes)
      }
    case .transcript(let text):
      appendLine("transcript", session, to: &output) { bytes in
        bytes += Array(",\"text\":".utf8)
        CanonicalJSON.appendString(utf8: text.span, to: &bytes)
        Self.append(answer.seq, to: &bytes)
      }
    case .time(let isPaused, let timers, let next):
      appendLine("time", session, to: &output) { bytes in
        bytes += Array(",\"mode\":\"\(isPaused ? "paused" : "live")\"".utf8)
        bytes += Array(",\"timers\":\(timers)".utf8)
        if let next {
          bytes += Array(",\"next\":".utf8)
          TimeSpan.appendSeconds(next, to: &bytes)
        }
        Self.append(answer.seq, to: &bytes)
      }
    case .held(let effects, let provided):
      appendLine("hold", session, to: &output) { bytes in
        for (name, list) in [("held", effects), ("provided", provided)] {
          bytes += Array(",\"\(name)\":".utf8)
          JSONValue.array(list.map(JSONValue.string)).append(to: &bytes)
        }
        Self.append(answer.seq, to: &bytes)
      }
    case .changed(let change): append(change, seq: answer.seq, session, to: &output)
    }
  }

  private func append(
    _ change: SessionChange, seq: UInt64?, _ session: SessionEngine, to output: inout [UInt8]
  ) {
    var members: [String: JSONValue] = ["step": .number(JSONNumber(change.step))]
    let kind: String
    switch change.cause {
    case .went(let steps, let copiesStore, let branch, let branches):
      kind = "go"
      members["branch"] = .number(JSONNumber(branch))
      members["branches"] = .array(
        branches.map { branch in
          .object([
            "branch": .number(JSONNumber(branch.number)), "from": .number(JSONNumber(branch.from)),
            "steps": .number(JSONNumber(branch.steps)),
          ])
        })
      members["steps"] = .number(JSONNumber(steps))
      if copiesStore { members["store"] = "copy" }
    case .reloaded(let plugin, let differences, let skipped, _):
      kind = "reload"
      members["plugin"] = .string(plugin)
      members["differences"] = .number(JSONNumber(differences))
      if skipped > 0 { members["skipped"] = .number(JSONNumber(skipped)) }
    case .keptOld(let plugin, let reason):
      kind = "reload"
      members["plugin"] = .string(plugin)
      members["error"] = .string(reason)
    }
    if !change.left.isEmpty {
      members["open"] = .array(
        change.left.map { request in
          .object([
            "instance": .string(request.handle), "id": .number(JSONNumber(Int(request.id))),
            "effect": .string(request.effect),
          ])
        })
    }
    appendLine(kind, session, to: &output) { bytes in
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        bytes += Array(",\"\(name)\":".utf8)
        value.append(to: &bytes)
      }
      Self.append(seq, to: &bytes)
    }
    for frame in change.frames {
      appendFrame(frame.handle, frame.states, seq: nil, session, to: &output)
    }
  }

  private func appendFrame(
    _ handle: String, _ states: [UInt8], seq: UInt64?, _ session: SessionEngine,
    to output: inout [UInt8]
  ) {
    appendLine("frame", session, to: &output) { bytes in
      Self.append("instance", handle, to: &bytes)
      bytes += Array(",\"states\":".utf8)
      bytes += states
      Self.append(seq, to: &bytes)
    }
  }

  private static func append(_ seq: UInt64?, to bytes: inout [UInt8]) {
    guard let seq else { return }
    bytes.append(",\"seq\":")
    DecimalDigits.append(seq, to: &bytes)
  }

  private static func append(_ line: SessionAnswer.SourceLine, to bytes: inout [UInt8]) {
    bytes += Array(",\"line\":\(line.number)".utf8)
    if let column = line.column { bytes += Array(",\"column\":\(column)".utf8) }
  }

  package func append(
    difference summary: String, line number: Int, _ session: SessionEngine,
    to output: inout [UInt8]
  ) {
    append("difference", summary, number, session, to: &output)
  }

  package func append(
    skipped summary: String, line number: Int, _ session: SessionEngine, to output: inout [UInt8]
  ) {
    append("skipped", summary, number, session, to: &output)
  }

  private func append(
    _ kind: String, _ message: String, _ number: Int, _ session: SessionEngine,
    to output: inout [UInt8]
  ) {
    appendLine(kind, session, to: &output) { bytes in
      bytes += Array(",\"line\":\(number)".utf8)
      Self.append("message", message, to: &bytes)
    }
  }

  package func appendEnd(
    of session: SessionEngine, status: Int32, message: String, to output: inout [UInt8]
  ) {
    appendLine("end", session, to: &output) { bytes in
      bytes += Array(",\"status\":\(status)".utf8)
      if !message.isEmpty { Self.append("message", message, to: &bytes) }
    }
  }

  private func appendLine(
    _ kind: String, _ session: SessionEngine, to output: inout [UInt8],
    _ members: (inout [UInt8]) -> Void
  ) {
    output += Array("{\"kind\":\"\(kind)\",\"t\":".utf8)
    TimeSpan.appendSeconds(session.now, to: &output)
    members(&output)
    output.append("}\n")
  }

  private static func append(_ name: String, _ text: String, to bytes: inout [UInt8]) {
    bytes += Array(",\"\(name)\":".utf8)
    CanonicalJSON.appendString(text, to: &bytes)
  }
}

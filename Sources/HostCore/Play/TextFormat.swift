import Basics

/// The format for people, which transcripts use too.
package struct TextFormat: SessionFormat {
  /// Styles the parts of a line for a terminal; nil for plain text.
  private let style: TextStyle?

  package init(style: TextStyle? = nil) { self.style = style }

  package func append(
    _ events: EventBatch, _ range: Range<Int>, of session: SessionEngine,
    since start: Nanoseconds?, to output: inout [UInt8]
  ) {
    for record in events.records[range] {
      let offset = start.flatMap { record.time < session.now ? record.time - $0 : nil }
      append(record, events, session, offset, to: &output)
    }
  }

  private func append(
    _ record: EventBatch.Record, _ events: EventBatch, _ session: SessionEngine,
    _ offset: Nanoseconds?, to output: inout [UInt8]
  ) {
    let name = events.name(of: record)
    if record.isOf(.print) {
      let text = events.value(of: record)
      return output.append(contentsOf: "# \(name) printed: \(text)\n".utf8)
    }
    let handle = session.handle(of: record)
    let time = offset.map { "@\(TimeSpan.text($0)) " } ?? ""
    let prefix = session.names(record.instance) ? "\(style.handle(handle))." : ""
    let head =
      switch record.kind {
      case .output: "\(style.sigil("<")) \(time)\(prefix)\(style.port(name))"
      case .request: "\(style.sigil("?")) \(time)\(prefix)\(record.id) \(style.port(name))"
      case .cancel: "\(style.sigil("x")) \(time)\(prefix)\(record.id)"
      case .log: "# \(name) from \(handle):"
      case .opened: "# opened \(handle): \(name)"
      case .closed: "# closed \(handle)"
      case .fault, .input, .reply, .error, .refusal, .violation, .death, .print:
        "# fault of \(handle) in \"\(name)\":"
      }
    output.append(contentsOf: head.utf8)
    if !record.value.isEmpty {
      TextValue.append(events.bytes.span.extracting(record.value), to: &output)
    }
    output.append(0x0a)
  }

  package func append(
    _ answer: SessionAnswer, of session: SessionEngine, to output: inout [UInt8]
  ) {
    let line = answer.seq.map { "\($0)" } ?? ""
    switch answer.kind {
    // People have written the lines themselves.
    case .step: break
    case .done: output.append(contentsOf: "# done \(line)\n".utf8)
    case .refused(let code, let message, let place):
      let subject = answer.seq == nil ? place.map { "line \($0.number)" } ?? "" : line
      output.append(
        contentsOf: "# refused \(subject) (\(code.rawValue)): \(message.terminalSafeLine)\n".utf8)
    case .passedOver(let message, let place):
      output.append(
        contentsOf: "# skipped line \(place.number): \(message.terminalSafeLine)\n".utf8)
    case .frame(let handle, let states):
      output.append(contentsOf: "# frame of \(handle):".utf8)
      TextValue.append(states.span, to: &output)
      output.append(0x0a)
    case .viewModel(let viewModel, let plugin):
      output.append(contentsOf: "# view model \(viewModel.id) of \(plugin)\n".utf8)
    case .transcript(let text):
      for line in text.split(separator: 0x0a) { output += Array("# ".utf8) + line + [0x0a] }
    case .time(let isPaused, let timers, let next):
      let rest = next.map { ", the next at \(TimeSpan.text($0))" } ?? ""
      output.append(
        contentsOf: "# time \(TimeSpan.text(session.now)), \(isPaused ? "paused" : "live"),"
          .utf8)
      output.append(contentsOf: " \(Count.of(timers, "timer"))\(rest)\n".utf8)
    case .held(let effects, _):
      let list = effects.isEmpty ? "nothing" : effects.joined(separator: ", ")
      output.append(contentsOf: "# held: \(list)\n".utf8)
    case .changed(let change):
      for line in Self.lines(of: change, session) {
        output.append(contentsOf: "# \(line.terminalSafeLine)\n".utf8)
      }
    }
  }

  private static func lines(of change: SessionChange, _ session: SessionEngine) -> [String] {
    var lines: [String] = []
    switch change.cause {
    case .went(let steps, let copiesStore, _, _):
      lines.append("at step \(change.step) of \(steps), \(TimeSpan.text(session.now))")
      if copiesStore {
        lines.append("the session uses a copy of the store from now on: the file doesn't change")
      }
    case .reloaded(let plugin, let differences, let skipped, let steps):
      let differ = differences == 1 ? "differs" : "differ"
      var text = "\(differences) of \(Count.of(steps, "step")) \(differ)"
      if differences == 0 { text = "no step differs" }
      if skipped > 0 { text += ", \(skipped) skipped" }
      lines.append("reloaded \(plugin): \(text)")
    case .keptOld(let plugin, let reason):
      lines.append("the old \(plugin) goes on: \(reason)")
    }
    lines += change.details
    for frame in change.frames {
      for (name, value) in frame.changed {
        let handle = session.instances.count > 1 ? "\(frame.handle)." : ""
        lines.append("  \(handle)\(name) \(VisibleText.cut(value[...], columns: 80))")
      }
    }
    for request in change.left {
      let name = session.instances.count > 1 ? "\(request.handle).\(request.id)" : "\(request.id)"
      lines.append(
        "request \(name), \(request.effect), waits for an answer from you: \"! \(name) …\"")
    }
    return lines
  }

  package func append(_ step: TranscriptStep, to output: inout [UInt8]) {
    step.append(to: &output)
  }

  package func append(
    skipped summary: String, line number: Int, _ session: SessionEngine, to output: inout [UInt8]
  ) {
    output.append(contentsOf: "# skipped: \(summary.terminalSafeLine)\n".utf8)
  }
}

/// Styles for the parts of a text line on a terminal. Each function gets the plain text.
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

import CanonicalJSON
import HostCore

/// The session's checks of what plugins emit: the input is what a user does, and what a plugin
/// answers.
struct SessionTarget {
  private let session: SessionEngine
  private let plugin: any FuzzedPlugin
  private var shown = ShownRequests()

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    try check(LyingPlugin(InputReader(input)))
  }

  static func check(_ plugin: any FuzzedPlugin) throws(FuzzFinding) {
    var target = try SessionTarget(plugin)
    var opened: UInt8 = 0
    var isOver = false
    // After a refusal the session has dropped what followed, and the plugin doesn't know.
    var knowsRequests = true
    // The end of the input is no end of the events: after it the plugin is silent.
    while !isOver && !plugin.input.isAtEnd {
      do throws(SessionError) {
        try target.act(&opened)
      } catch {
        try require(!error.description.isEmpty, "an error has words")
        isOver = error.code == .contract
        knowsRequests = false
      }
      try require(
        !knowsRequests || !plugin.requests.hasRepeated, "an open request's id is not taken again")
      try plugin.check()
      try target.checkEvents()
      if !isOver { try target.checkFrames() }
    }
    if !isOver { try target.answerAll() }
    do throws(SessionError) { try target.session.finish() } catch {
      try require(error.code == .contract, "a session ends, unless its plugin breaks")
    }
    try plugin.check()
  }

  private init(_ plugin: any FuzzedPlugin) throws(FuzzFinding) {
    session = SessionEngine(options: .init(), storage: MemoryStorage())
    self.plugin = plugin
    do throws(SessionError) { try session.add(plugin, named: "liar.so") } catch {
      throw FuzzFinding("a session takes its first plugin: \(error)")
    }
  }

  /// One thing that a user, a clock or an effect does.
  private mutating func act(_ opened: inout UInt8) throws(SessionError) {
    switch plugin.input.number(below: 8) {
    case 0:
      opened &+= 1
      let id = plugin.input.choice(of: ["liar.full", "liar.bare", "liar.none"])
      try session.open(id, as: "h\(opened)")
    case 1, 2, 3: try send()
    case 4:
      try answer { session, instance, id throws(SessionError) in
        try session.reply(to: instance, id, value: Array("{\"status\":200}".utf8).span)
      }
    case 5:
      try answer { session, instance, id throws(SessionError) in
        try session.fail(instance, id, code: "offline", message: "it is")
      }
    case 6: try session.advance(to: session.now + Nanoseconds(plugin.input.byte()) * 1_000_000)
    default:
      guard let instance = session.instances.first else { return }
      try session.close(instance.handle)
    }
  }

  private mutating func answer(
    _ answer: (SessionEngine, SessionInstance, UInt64) throws(SessionError) -> Void
  ) throws(SessionError) {
    guard !shown.open.isEmpty else { return }
    let index = plugin.input.number(below: min(shown.open.count, 256))
    try self.answer(index, answer)
  }

  private mutating func answer(
    _ index: Int,
    _ answer: (SessionEngine, SessionInstance, UInt64) throws(SessionError) -> Void
  ) throws(SessionError) {
    let request = shown.remove(index)
    do throws(SessionError) {
      try answer(session, try session.instance(request.handle), request.id)
    } catch {
      if error.isRefusal { shown.restore(request, at: index) }
      throw error
    }
  }

  private func send() throws(SessionError) {
    var batch = InputBatch()
    guard !session.instances.isEmpty else { return }
    let instance = Array(session.instances)[
      plugin.input.number(below: min(session.instances.count, 256))]
    guard !instance.viewModel.inputs.isEmpty else { return }
    for tag in 0...plugin.input.number(below: 4) {
      let port = tag % 2
      let value = Array((port == 0 ? "" : "[\(tag)]").utf8)
      _ = session.add(to: &batch, instance, port, value: value.span, tag: UInt64(tag))
    }
    try session.deliver(&batch)
  }

  // MARK: What must hold

  /// Every request that users have seen and nobody has answered is open, and no other.
  private mutating func answerAll() throws(FuzzFinding) {
    var refused = 0
    while refused < shown.open.count {
      do throws(SessionError) {
        try answer(refused) { session, instance, id throws(SessionError) in
          try session.reply(to: instance, id, value: [UInt8]().span)
        }
      } catch {
        try require(error.isRefusal || error.endsSession, "what is shown can be answered: \(error)")
        if error.code == .contract { return }
        refused += 1
      }
      try checkEvents()
    }
    try require(shown.matches(session), "what is open was shown")
  }

  private mutating func checkEvents() throws(FuzzFinding) {
    try shown.take(session)
    for record in session.events.records {
      if record.kind == .print {
        try require(session.events.name(of: record) == "liar.so", "a line is of its plugin")
        continue
      }
      try require(!session.handle(of: record).isEmpty, "an event is of an instance")
      try require(
        [.output, .request, .cancel, .log, .fault].contains(record.kind),
        "users see only their kinds of events")
      try require(
        [.request, .cancel].contains(record.kind) == (record.id != 0), "requests have numbers")
      try checkCanonical(Array(session.events.bytes[record.value]), "a value")
      guard record.kind == .output,
        let instance = session.instances.first(where: { $0.number == record.instance })
      else { continue }
      let outputs = instance.viewModel.outputs
      guard outputs.indices.contains(Int(record.port)) else {
        throw FuzzFinding("an output is one of the manifest's")
      }
      let output = outputs[Int(record.port)]
      try require(output.hasValue != record.value.isEmpty, "an output has a value if it should")
      try require(session.events.name(of: record) == output.name, "an output has its name")
      if output.name == "said" {
        let first = session.events.value(of: record).first
        try require(first.map { "\"-0123456789".contains($0) } == true, "an output fits its schema")
      }
    }
    session.events.removeAll()
  }

  private func checkFrames() throws(FuzzFinding) {
    for instance in session.instances {
      for value in instance.frame {
        try require(!value.isEmpty, "a state has a value")
        try checkCanonical(value, "a state")
      }
    }
  }

  private func checkCanonical(_ value: [UInt8], _ what: String) throws(FuzzFinding) {
    guard !value.isEmpty else { return }
    let canonical = try? CanonicalJSON.bytes(value.span)
    try require(canonical == value, "\(what) is canonical JSON")
  }
}

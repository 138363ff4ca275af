import CanonicalJSON

// Navigation: where signals lead, within the step that emitted them.
extension SessionEngine {
  /// Lets signals lead where a flow says, from now on.
  package func use(_ flow: FlowRules) throws(SessionError) {
    guard handles.isEmpty else {
      throw SessionError(.unknown, "a flow must be there before the first instance is opened.")
    }
    if let other = self.flow {
      throw SessionError(.unknown, "there is a flow already, \"\(other.path)\", and one is enough.")
    }
    for opening in flow.openings {
      do throws(SessionError) {
        let (_, viewModel) = try find(opening.viewModel)
        _ = try secrets.resolve(opening.config, of: viewModel)
      } catch {
        throw SessionError(error.code, "\(flow.path): \(error.description)")
      }
    }
    self.flow = flow
  }

  /// Refuses a handle that the flow has for another view model.
  func checkFlow(_ handle: String, is id: String) throws(SessionError) {
    guard let flow, let expected = flow.viewModel(of: handle), expected != id else { return }
    throw SessionError(
      .unknown,
      "the flow \"\(flow.path)\" has the handle \"\(handle)\" for \(expected). Open \(id) under"
        + " another one: @open \(id) as \(handle)2")
  }

  /// Whether a line about an instance, which may be closed by now, names it: where there are
  /// others, and always in a session with a flow, whose lines would else change with what is open.
  package func names(_ number: Int32) -> Bool {
    flow != nil || instances.contains { $0.number != number }
  }

  /// Tells that an instance opened or closed, where a flow may have done it.
  func note(_ kind: EventKind, _ instance: SessionInstance) {
    guard flow != nil else { return }
    var record = EventBatch.Record(kind: kind, instance: instance.number, time: now)
    record.step = settledStep ?? 0
    let name = kind == .opened ? Array(instance.viewModel.id.utf8) : []
    events.append(record, name: name.span, value: [UInt8]().span)
  }

  /// Whether what comes of these inputs may lead somewhere, so that the next one may be for another
  /// instance: some of the plugin's instances have signals that do. Whose inputs they are doesn't
  /// matter, as a plugin may wake its other instances.
  package func navigates(_ batch: borrowing InputBatch) -> Bool {
    !batch.isEmpty && plugins[batch.plugin].leading > 0
  }

  /// Delivers inputs one by one, each with all that its signals lead to.
  func deliverFollowing(_ batch: InputBatch) throws(SessionError) {
    defer { settledStep = nil }
    for (index, record) in batch.events.records.enumerated() {
      guard byNumber[record.instance] != nil else {
        throw SessionError(
          .unknown, "there is no instance \"\(handle(of: record))\" any more: the flow closed it.",
          tag: record.id)
      }
      var one = EventBatch()
      one.append(batch.events, at: index)
      let first = events.count
      settledStep = Int32(index)
      emissions.removeAll()
      _ = plugins[batch.plugin].connection.deliver(one, from: 0, into: &emissions)
      try takeEmissions(of: batch.plugin, answering: one)
      do throws(SessionError) {
        try settle()
        try follow(from: first)
      } catch {
        var error = error
        error.stepTag = record.id
        throw error
      }
    }
  }

  /// Does what the flow says of the signals among the events, from the one at `first` on: in the
  /// order in which they came, those that come of it after all that came before.
  ///
  /// What it can't do is a fault of the signal's instance, and the rest of what that signal leads
  /// to is dropped.
  func follow(from first: Int) throws(SessionError) {
    guard let flow else { return }
    defer { closedConfigs.removeAll() }
    var next = first
    var budget = FlowBudget()
    while next < events.count && !budget.isSpent {
      let record = events.records[next]
      next += 1
      guard record.isOf(.output), let actions = flow.actions[handle(of: record)]?[record.port]
      else { continue }
      let filling = FlowTemplateRenderer(
        value: value(of: record),
        config: byNumber[record.instance]?.config ?? closedConfigs[record.instance] ?? [])
      for action in actions {
        do throws(SessionError) {
          try budget.takeAction()
          try perform(action.act, of: record, filling, &budget)
        } catch {
          try noteFault(error, action, of: record)
          break
        }
      }
    }
  }

  /// A copy: while this lasts, `events` would be copied as a whole if it were held.
  private func value(of record: EventBatch.Record) -> [UInt8] { Array(events.bytes[record.value]) }

  private func perform(
    _ act: FlowRules.Act, of signal: EventBatch.Record, _ filling: FlowTemplateRenderer,
    _ budget: inout FlowBudget
  ) throws(SessionError) {
    switch act {
    case .open(let opening, let unlessOpen):
      let open = byHandle[opening.handle]
      if unlessOpen && open != nil { return }
      let config = try config(of: opening, filling, &budget)
      if let open { try remove(open) }
      try make(opening.viewModel, as: opening.handle, config: config)
    case .close(let handle):
      if let open = byHandle[handle] { try remove(open) }
    case .feed(let handle, let port, let payload):
      guard let instance = byHandle[handle] else { return noteClosed(handle, port, signal) }
      let input = instance.viewModel.inputs[port]
      let value = try value(of: payload, for: "\(handle).\(input.name)", filling, &budget)
      try deliver(
        .input, to: instance, id: 0, name: input.name, port: Int32(port), value: value.span)
      try settle()
    }
  }

  private func config(
    of opening: FlowRules.Opening, _ filling: FlowTemplateRenderer, _ budget: inout FlowBudget
  ) throws(SessionError) -> [UInt8] {
    // What is left out has its default, which may be a secret: so the former comes first.
    let given = opening.config.map(filling.withoutMissing)
    guard let template = try secrets.unresolved(given, of: try find(opening.viewModel).1) else {
      return []
    }
    return try filling.filled(
      template, for: "the config of \(opening.viewModel)", secrets: secrets, &budget)
  }

  private func value(
    of payload: FlowRules.Payload, for input: @autoclosure () -> String,
    _ filling: FlowTemplateRenderer,
    _ budget: inout FlowBudget
  ) throws(SessionError) -> [UInt8] {
    switch payload {
    case .nothing: return []
    case .value:
      try budget.take(bytes: filling.value.count)
      return filling.value
    case .template(let template):
      return try filling.filled(
        template, for: "the value for \(input())", secrets: nil, &budget)
    }
  }

  /// An input that has nowhere to go is no error, as a user may close what a signal would feed, but
  /// it is worth a word.
  private func noteClosed(_ handle: String, _ port: Int, _ signal: EventBatch.Record) {
    guard let flow, let id = flow.viewModel(of: handle), let (_, viewModel) = try? find(id) else {
      return
    }
    var record = EventBatch.Record(kind: .log, instance: signal.instance, time: now)
    record.step = signal.step
    let text = "nothing was fed to \(handle).\(viewModel.inputs[port].name), which isn't open"
    events.append(record, name: Array("warning".utf8).span) { bytes in
      JSONValue.string(text).append(to: &bytes)
    }
  }

  /// Says that the flow can't do what a signal leads to, and ends the step as a whole.
  ///
  /// - Throws: what ends the session, with the place in the flow.
  private func noteFault(
    _ first: SessionError, _ action: FlowRules.Action, of signal: EventBatch.Record
  ) throws(SessionError) {
    var problem: SessionError? = first
    while let error = problem {
      guard !error.endsSession else { throw placed(error, action, of: signal) }
      append(fault: "\(error.phrase) (\(action.place))", of: signal)
      do throws(SessionError) {
        // A refused answer leaves others that are due in this step.
        try settle()
        problem = nil
      } catch { problem = error }
    }
  }

  private func append(fault text: String, of signal: EventBatch.Record) {
    var record = EventBatch.Record(kind: .fault, instance: signal.instance, time: now)
    record.step = signal.step
    let name = Array(events.name(of: signal).utf8)
    events.append(record, name: name.span) { bytes in
      JSONValue.string(text).append(to: &bytes)
    }
  }

  /// A plugin that broke down, with the signal that led to it.
  private func placed(
    _ error: SessionError, _ action: FlowRules.Action, of signal: EventBatch.Record
  ) -> SessionError {
    SessionError(
      error.code,
      "\(error.phrase). The signal \(handle(of: signal)).\(events.name(of: signal)) led to it"
        + " (\(action.place)).")
  }
}

extension SessionError {
  /// The words without the point at their end, which not all have: some are a plugin's.
  fileprivate var phrase: Substring {
    description.last == "." ? description.dropLast() : description[...]
  }
}

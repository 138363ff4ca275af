import CanonicalJSON

// Navigation: performs the actions of a flow, within the step that emitted the signal.
extension SessionEngine {
  /// Follows a flow from now on.
  ///
  /// - Throws: `mistake`, if an instance has been opened, if there is a flow already, or if the
  ///   flow names an unknown view model or a secret that nobody gave.
  package func use(_ flow: FlowRules) throws(SessionError) {
    guard handles.isEmpty else {
      throw SessionError(
        .mistake(.unsupported), "the flow must be loaded before the first instance is opened.")
    }
    if let other = self.flow {
      throw SessionError(
        .mistake(.unsupported),
        "the session already has the flow \"\(other.path)\", and it can have only one.")
    }
    for opening in flow.openings {
      do throws(SessionError) {
        let (plugin, viewModel) = try find(opening.viewModel)
        _ = try secrets.resolve(opening.config, of: viewModel, for: recipient(plugin))
      } catch {
        throw SessionError(error.code, "\(flow.path): \(error.description)")
      }
    }
    self.flow = flow
  }

  /// Throws if the flow has `handle` for another view model.
  func checkFlow(_ handle: String, is id: String) throws(SessionError) {
    guard let flow, let expected = flow.viewModel(of: handle), expected != id else { return }
    throw SessionError(
      .mistake(.handleTaken),
      "the flow \"\(flow.path)\" has the handle \"\(handle)\" for \(expected). Open \(id) under"
        + " another one, such as \"\(handle)2\".")
  }

  /// Whether a line about an instance, open or closed, must name it.
  ///
  /// It must if there are other instances. With a flow it always must: otherwise lines would change
  /// with what happens to be open.
  package func names(_ number: Int32) -> Bool {
    guard living.count == 1, let only = living.first else { return !living.isEmpty || flow != nil }
    return only.number != number || flow != nil
  }

  /// Adds the event that an instance opened or closed, if a flow may have done it.
  func note(_ kind: EventKind, _ instance: SessionInstance) {
    if flow != nil { appendNote(kind, instance) }
  }

  /// Adds the event that an instance opened or closed.
  func appendNote(_ kind: EventKind, _ instance: SessionInstance) {
    var record = EventBatch.Record(kind: kind, instance: instance.number, time: now)
    record.step = settledStep ?? 0
    let name = kind == .opened ? Array(instance.viewModel.id.utf8) : []
    events.append(record, name: name.span, value: [UInt8]().span)
  }

  /// Whether the flow may act on the signals of these inputs, so that a later input may be for
  /// another instance.
  ///
  /// It may if any instance of the plugin has signals that the flow acts on: an input for one
  /// instance may wake others.
  package func navigates(_ batch: borrowing InputBatch) -> Bool {
    !batch.isEmpty && plugins[batch.plugin].navigating > 0
  }

  /// Delivers inputs one by one, each with all actions of its signals.
  func deliverFollowing(_ batch: inout InputBatch) throws(SessionError) {
    defer { settledStep = nil }
    while batch.hasNext, !events.isLarge {
      let index = batch.next
      batch.next += 1
      let record = batch.events.records[index]
      guard living[record.instance] != nil else {
        throw closed(handle(of: record)).about(index, of: batch)
      }
      var one = EventBatch()
      one.append(batch.events, at: index)
      let first = events.count
      settledStep = Int32(index)
      emissions.removeAll()
      budget.renew(at: now, ownTime)
      _ = plugins[batch.plugin].connection.deliver(one, from: 0, into: &emissions)
      _ = budget.count(until: ownTime)
      do throws(SessionError) {
        try takeEmissions(of: batch.plugin, answering: one)
      } catch {
        if error.endsSession { show(index..<index + 1, of: batch, after: steps, from: first) }
        throw error.tag == nil ? error : error.about(index, of: batch)
      }
      do throws(SessionError) {
        try settle()
        try follow(from: first)
      } catch {
        settleRest()
        beginStep()
        show(index..<index + 1, of: batch, after: steps - 1, from: first)
        note(index..<index + 1, of: batch, from: first)
        throw error.inStep(index, of: batch)
      }
      finish(index..<index + 1, of: batch, from: first)
    }
  }

  /// Performs the flow's actions for the signals among the events, from index `first` on.
  ///
  /// Signals are handled in the order in which they came. Those that the actions cause come last.
  /// An action that fails becomes a fault of the signal's instance, and the signal's other actions
  /// are dropped.
  func follow(from first: Int) throws(SessionError) {
    guard let flow else { return }
    defer { closedConfigs.removeAll() }
    var next = first
    var budget = FlowBudget(bytes: options.limits.bytes)
    while next < events.count && !budget.isSpent {
      let record = events.records[next]
      next += 1
      guard record.isOf(.output), let actions = flow.actions[handle(of: record)]?[record.port]
      else { continue }
      let renderer = FlowTemplateRenderer(
        value: value(of: record),
        config: living[record.instance]?.config ?? closedConfigs[record.instance] ?? [])
      for action in actions {
        do throws(SessionError) {
          if let instance = living[record.instance] { try checkTime(of: instance) }
          try budget.takeAction()
          try perform(action.act, of: record, renderer, &budget)
        } catch {
          try noteFault(error, action, of: record)
          break
        }
      }
    }
  }

  /// A copy of a signal's value. A reference into `events` would make the next event copy them all.
  private func value(of record: EventBatch.Record) -> [UInt8] { Array(events.bytes[record.value]) }

  private func perform(
    _ act: FlowRules.Act, of signal: EventBatch.Record, _ renderer: FlowTemplateRenderer,
    _ budget: inout FlowBudget
  ) throws(SessionError) {
    switch act {
    case .open(let opening, let unlessOpen):
      let open = byHandle[opening.handle]
      if unlessOpen && open != nil { return }
      let config = try config(of: opening, renderer, &budget)
      if let open { try remove(open) }
      try make(opening.viewModel, as: opening.handle, config: config)
    case .close(let handle):
      if let open = byHandle[handle] { try remove(open) }
    case .feed(let handle, let port, let payload):
      guard let instance = byHandle[handle] else { return noteClosed(handle, port, signal) }
      let input = instance.viewModel.inputs[port]
      let value = try value(of: payload, for: "\(handle).\(input.name)", renderer, &budget)
      if let misfit = misfit(value.span, port, of: instance) { throw misfit }
      try deliver(
        .input, to: instance, id: 0, name: input.name, port: Int32(port), value: value.span)
      try settle()
    }
  }

  private func config(
    of opening: FlowRules.Opening, _ renderer: FlowTemplateRenderer, _ budget: inout FlowBudget
  ) throws(SessionError) -> [UInt8] {
    // Members without a value are dropped first: their defaults may be secrets.
    let given = opening.config.map(renderer.withoutMissing)
    let (plugin, viewModel) = try find(opening.viewModel)
    let recipient = recipient(plugin)
    guard let template = try secrets.unresolved(given, of: viewModel, for: recipient) else {
      return []
    }
    return try renderer.render(
      template, for: "the config of \(opening.viewModel)",
      secret: { secrets.value(for: $0, in: recipient.plugin) }, &budget)
  }

  private func value(
    of payload: FlowRules.Payload, for input: @autoclosure () -> String,
    _ renderer: FlowTemplateRenderer,
    _ budget: inout FlowBudget
  ) throws(SessionError) -> [UInt8] {
    switch payload {
    case .nothing: return []
    case .value:
      try budget.take(bytes: renderer.value.count)
      return renderer.value
    case .template(let template):
      return try renderer.render(
        template, for: "the value for \(input())", secret: { _ in nil }, &budget)
    }
  }

  /// Logs that the instance which a signal would feed isn't open. That is no error, as a user may
  /// have closed it.
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

  /// Adds the fault of an action that failed, and finishes the step.
  ///
  /// - Throws: an error that ends the session, with the location in the flow.
  private func noteFault(
    _ first: SessionError, _ action: FlowRules.Action, of signal: EventBatch.Record
  ) throws(SessionError) {
    var problem: SessionError? = first
    while let error = problem {
      guard !error.endsSession else { throw located(error, action, of: signal) }
      append(fault: "\(error.phrase) (\(action.location))", of: signal)
      do throws(SessionError) {
        // After a refused answer, others may still be due in this step.
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

  /// The error of a plugin that broke down, with the signal and the action that led to it.
  private func located(
    _ error: SessionError, _ action: FlowRules.Action, of signal: EventBatch.Record
  ) -> SessionError {
    SessionError(
      error.code,
      "\(error.phrase). The signal \(handle(of: signal)).\(events.name(of: signal)) led to it"
        + " (\(action.location)).")
  }
}

extension SessionError {
  /// The description without a full stop at its end. Some descriptions are a plugin's and have
  /// none.
  fileprivate var phrase: Substring {
    description.last == "." ? description.dropLast() : description[...]
  }
}

import Basics
import CanonicalJSON

// Checks everything that plugins emit. Nothing else does.
extension SessionEngine {
  /// Checks what a plugin emitted and makes events of it.
  ///
  /// - Parameter delivered: the events that caused the emissions.
  func takeEmissions(
    of plugin: Int, answering delivered: EventBatch
  ) throws(SessionError) {
    // Both batches are moved out of the session in the meantime: accessing them through it for each
    // event costs more than the rest of the work.
    var emitted = EventBatch()
    var accepted = EventBatch()
    swap(&emitted, &emissions)
    swap(&accepted, &events)
    defer {
      // Emissions that were copied aren't needed any more, and may be many.
      emitted.removeAll()
      swap(&emitted, &emissions)
      swap(&accepted, &events)
    }
    chargeLastStep(of: emitted)
    if accepted.isEmpty && acceptInPlace(&emitted, of: plugin) {
      swap(&accepted, &emitted)
      return
    }
    answered = delivered
    var instance: SessionInstance?
    accepted.reserve(for: emitted)
    for record in emitted.records {
      answeredStep = Int(record.step)
      if record.isOf(.print) {
        append(printed: emitted.value(of: record), by: plugin, step: record.step, to: &accepted)
        continue
      }
      if instance?.number != record.instance { instance = living[record.instance] }
      guard let instance, instance.plugin == plugin else {
        throw violation("it emitted an event of an instance that it doesn't have", of: plugin)
      }
      if record.isOf(.output) {
        try takeOutput(record, emitted, of: instance, into: &accepted)
      } else {
        if record.kind == .refusal { throw refusal(record, emitted, of: instance) }
        try takeOther(record, emitted, of: instance, into: &accepted)
      }
    }
  }

  /// Makes events of emissions without copying them. That is possible if all of them are outputs
  /// with canonical values, as they nearly always are.
  ///
  /// - Returns: false if it isn't possible. The emissions are still as good as new then.
  private func acceptInPlace(_ emitted: inout EventBatch, of plugin: Int) -> Bool {
    var hasStates = false
    let content = emitted.bytes
    var index = 0
    while index < emitted.count {
      let record = emitted.records[index]
      guard record.isOf(.output), let instance = living[record.instance],
        instance.plugin == plugin,
        let port = instance.output(named: content.span.extracting(record.name))
      else { return false }
      if port < instance.viewModel.stateCount { hasStates = true }
      let output = AcceptedOutput(
        port: Int32(port), hasValue: instance.hasValue(port),
        validator: instance.viewModel.outputs[port].validator)
      guard let end = acceptInPlace(&emitted, from: index, output, content.span) else {
        return false
      }
      index = end
    }
    return !hasStates || keepStates(of: emitted)
  }

  /// What is checked of an output's events.
  private struct AcceptedOutput {
    let port: Int32
    let hasValue: Bool
    let validator: SchemaValidator?
  }

  /// Accepts the event at `first` and those after it of the same output. Several usually follow
  /// each other, and looking at the instance costs more than the rest.
  ///
  /// - Returns: the index of the first event of another one; nil if it isn't possible.
  private func acceptInPlace(
    _ emitted: inout EventBatch, from first: Int, _ output: borrowing AcceptedOutput,
    _ bytes: Span<UInt8>
  ) -> Int? {
    // The span is made once. To change the array would check each time whether it is shared.
    var records = emitted.records.mutableSpan
    let (instance, name) = (records[first].instance, records[first].name)
    let (time, step) = (now, settledStep)
    var index = first
    while index < records.count {
      let record = records[index]
      guard
        index == first
          || record.isOf(.output) && record.instance == instance
            && bytes.extracting(name).equals(bytes.extracting(record.name))
      else { break }
      guard output.hasValue != record.value.isEmpty else { return nil }
      if output.hasValue {
        let value = bytes.extracting(record.value)
        guard output.validator?.accepts(value) ?? JSONScanner.isCanonical(value) else { return nil }
      }
      records[index].complete(port: output.port, time: time, step: step)
      index += 1
    }
    return index
  }

  /// Updates the instances' frames from the states among accepted outputs.
  ///
  /// - Returns: whether they are within the limits.
  private func keepStates(of outputs: EventBatch) -> Bool {
    for record in outputs.records {
      guard let instance = living[record.instance],
        Int(record.port) < instance.viewModel.stateCount
      else { continue }
      let value = outputs.bytes.span.extracting(record.value)
      guard instance.keep(value, of: Int(record.port), limit: options.limits.bytes) else {
        return false
      }
    }
    return true
  }

  /// Charges the session's step with what a plugin emitted last. The plugin made all steps before
  /// that one within their limits, and they are over.
  private func chargeLastStep(of emitted: borrowing EventBatch) {
    let records = emitted.records
    var (index, bytes) = (records.count, 0)
    while index > 0, records[index - 1].step == records[records.count - 1].step {
      index -= 1
      bytes += records[index].name.count + records[index].value.count
    }
    // The connection has held the plugin to the limits. What it says itself doesn't matter.
    _ = budget.charge(events: records.count - index, bytes: bytes)
  }

  /// Charges the session's step with what the host made of a plugin's requests and values.
  func charge(
    _ instance: SessionInstance, bytes: Int, requests: Int = 0
  ) throws(SessionError) {
    if let excess = budget.charge(bytes: bytes, requests: requests) {
      throw contract(instance, options.limits.excess(excess))
    }
  }

  /// Counts the time of the session's step.
  ///
  /// - Throws: `contract`, if it has taken too long.
  func checkTime(of instance: SessionInstance) throws(SessionError) {
    guard budget.count(until: ownTime) else {
      throw contract(instance, options.limits.excessOfTime)
    }
  }

  private func append(
    printed line: String, by plugin: Int, step: Int32, to accepted: inout EventBatch
  ) {
    for part in PrintedLine.parts(of: line, without: secrets) {
      accepted.append(
        printed: part, by: plugins[plugin].name, step: settledStep ?? step, time: now)
      plugins[plugin].connection.recentLines.append("printed", part)
    }
  }

  /// Makes events of the lines that a plugin printed in the call that just ended, before anything
  /// else about the call is looked at.
  func takePrinted(of plugin: Int) {
    let count = emissions.records.prefix { $0.isOf(.print) }.count
    guard count > 0 else { return }
    var rest = EventBatch()
    for (index, record) in emissions.records.enumerated() {
      if index < count {
        append(printed: emissions.value(of: record), by: plugin, step: 0, to: &events)
      } else {
        rest.append(emissions, at: index)
      }
    }
    emissions = rest
  }

  /// Makes events of the lines that plugins printed outside of calls, as while they were loaded.
  package func takePrinted() {
    for (index, plugin) in plugins.enumerated() {
      for line in plugin.connection.takePrinted() {
        append(printed: line, by: index, step: 0, to: &events)
      }
    }
  }

  private func takeOther(
    _ record: EventBatch.Record, _ emitted: EventBatch, of instance: SessionInstance,
    into accepted: inout EventBatch
  ) throws(SessionError) {
    switch record.kind {
    case .request: try takeRequest(record, emitted, of: instance, into: &accepted)
    case .cancel: try takeCancel(record, of: instance, into: &accepted)
    case .log, .fault: try takeText(record, emitted, of: instance, into: &accepted)
    case .violation: throw contract(instance, emitted.value(of: record))
    case .death: throw death(of: instance.plugin, emitted.value(of: record))
    case .input, .reply, .error, .output, .refusal, .opened, .closed, .print:
      throw contract(instance, "it emitted an event of kind \(record.kind.rawValue)")
    }
  }

  /// Checks that a new instance first emitted each of its states once, in the manifest's order.
  func checkFirstFrame(of instance: SessionInstance) throws(SessionError) {
    if emissions.records.contains(where: { $0.kind == .violation || $0.kind == .death }) { return }
    for (index, state) in instance.viewModel.states.enumerated() {
      let record = index < emissions.count ? emissions.records[index] : nil
      let found = record.map {
        "\"\(emissions.name(of: $0))\""
          + ($0.instance == instance.number ? "" : " of another instance")
      }
      guard let record, record.kind == .output, record.instance == instance.number,
        emissions.bytes.span.extracting(record.name).equals(state.nameBytes.span)
      else {
        throw contract(
          instance,
          "a new instance must first emit each state once, in the manifest's order; expected"
            + " \"\(state.name)\", found \(found ?? "nothing")")
      }
    }
  }

  private func takeOutput(
    _ emission: EventBatch.Record, _ emitted: EventBatch, of instance: SessionInstance,
    into accepted: inout EventBatch
  ) throws(SessionError) {
    guard let port = instance.output(named: emitted.bytes.span.extracting(emission.name)) else {
      throw contract(
        instance, "it emitted \"\(emitted.name(of: emission))\", which isn't in its manifest")
    }
    guard instance.hasValue(port) != emission.value.isEmpty else {
      let output = instance.viewModel.outputs[port]
      throw contract(
        instance,
        output.hasValue
          ? "it emitted \"\(output.name)\" without a value"
          : "it emitted \"\(output.name)\" with a value, but its manifest has no schema for it")
    }
    var record = event(.output, of: instance)
    record.port = Int32(port)
    try append(record, emission, emitted, of: instance, to: &accepted)
    do throws(SessionError) { try checkValue(of: accepted, instance) } catch {
      accepted.removeLast()
      throw error
    }
    if port < instance.viewModel.stateCount, let last = accepted.records.last {
      let limit = options.limits.bytes
      let fits = instance.keep(
        accepted.bytes.span.extracting(last.value), of: port, limit: limit)
      guard fits else {
        accepted.removeLast()
        throw contract(
          instance, "its states have more than \(limit) bytes. \(StepLimits.advice(.bytes))")
      }
    }
  }

  /// Checks the value of the output that was accepted last against its schema.
  private func checkValue(
    of accepted: borrowing EventBatch, _ instance: SessionInstance
  ) throws(SessionError) {
    guard let record = accepted.records.last else { return }
    let output = instance.viewModel.outputs[Int(record.port)]
    let content = accepted.bytes
    let value = content.span.extracting(record.value)
    guard let validator = output.validator, !validator.accepts(canonical: value) else { return }
    throw contract(
      instance,
      "it emitted \"\(output.name)\" with a value that its schema doesn't allow:"
        + " \(mismatch(of: value, validator))")
  }

  private func takeRequest(
    _ emission: EventBatch.Record, _ emitted: EventBatch, of instance: SessionInstance,
    into accepted: inout EventBatch
  ) throws(SessionError) {
    let effect = emitted.name(of: emission)
    // Any code may need a timer at some point, so a manifest needn't announce it.
    guard instance.viewModel.requests.contains(effect) || effect == "timer" else {
      throw contract(
        instance, "it asked for \"\(effect)\", which isn't among the requests in its manifest")
    }
    guard emission.id != 0, instance.openRequests[emission.id] == nil else {
      throw contract(
        instance,
        emission.id == 0
          ? "it made a request with the id 0" : "it made two requests with the id \(emission.id)")
    }
    try charge(instance, bytes: 0, requests: 1)
    let simulated = effects.simulated(effect)
    let shownID = simulated == nil ? instance.nextShownID() : 0
    let request = SessionInstance.OpenRequest(
      effect: effect, order: effects.nextOrder(), shownID: shownID)
    if let excess = instance.openRequest(emission.id, request, options.limits) {
      throw contract(instance, options.limits.excess(excess))
    }
    guard let simulated else {
      var record = event(.request, of: instance)
      record.id = shownID
      return try append(record, emission, emitted, of: instance, to: &accepted)
    }
    var value = Array("null".utf8)
    do throws(JSONError) {
      if !emission.value.isEmpty {
        value = try CanonicalJSON.bytes(emitted.bytes.span.extracting(emission.value))
      }
    } catch { throw contract(instance, "its request \"\(effect)\" is not JSON: \(error)") }
    try charge(instance, bytes: max(value.count - emission.value.count, 0))
    if let problem = effects.accept(
      simulated, value, order: request.order, id: emission.id, instance: instance.number, now: now)
    {
      let text = String(repairing: value.span)
      throw contract(instance, "it asked for \"\(effect)\" with \(text): \(problem)")
    }
  }

  private func takeCancel(
    _ emission: EventBatch.Record, of instance: SessionInstance, into accepted: inout EventBatch
  ) throws(SessionError) {
    guard let request = instance.cancelRequest(emission.id) else {
      throw contract(instance, "it cancelled the request \(emission.id), which isn't open")
    }
    if request.shownID != 0 {
      appendCancel(of: instance, request.effect, request.shownID, to: &accepted)
    }
  }

  private func takeText(
    _ emission: EventBatch.Record, _ emitted: EventBatch, of instance: SessionInstance,
    into accepted: inout EventBatch
  ) throws(SessionError) {
    let kind = emission.kind == .log ? "log" : "fault"
    let name = emitted.name(of: emission)
    guard kind == "fault" || ["debug", "info", "warning", "error"].contains(name) else {
      throw contract(instance, "it logged at the level \"\(name)\", which doesn't exist")
    }
    guard kind == "log" || name.isEmpty || ManifestReader.isIdentifier(name) else {
      throw contract(instance, "the name of its fault is not that of an input or effect")
    }
    let text = emitted.bytes[emission.value].first { $0 > 0x20 }
    guard text == UInt8(ascii: "\"") else {
      throw contract(instance, "the text of its \(kind) is not a JSON string")
    }
    try append(event(emission.kind, of: instance), emission, emitted, of: instance, to: &accepted)
    let line = (try? JSONValue(parsing: emitted.bytes.span.extracting(emission.value)))?.stringValue
    plugins[instance.plugin].connection.recentLines.append(
      kind == "log" ? name : kind, line ?? "")
  }

  /// Copies an emission, with its value as canonical JSON.
  private func append(
    _ record: EventBatch.Record, _ emission: EventBatch.Record, _ emitted: EventBatch,
    of instance: SessionInstance, to accepted: inout EventBatch
  ) throws(SessionError) {
    let name = emitted.bytes.span.extracting(emission.name)
    let value = emitted.bytes.span.extracting(emission.value)
    guard !emission.value.isEmpty else { return accepted.append(record, name: name, value: value) }
    var grown = 0
    do throws(JSONError) {
      var end = 0
      if try JSONScanner.skipValue(in: value, at: &end), end == value.count {
        accepted.append(record, name: name, value: value)
      } else {
        try accepted.append(record, name: name) { bytes throws(JSONError) in
          try CanonicalJSON.append(value, to: &bytes)
        }
        // Numbers may be longer in canonical form.
        grown = (accepted.records.last?.value.count ?? 0) - value.count
      }
    } catch {
      throw contract(
        instance, "the value of its \"\(emitted.name(of: emission))\" is not JSON: \(error)")
    }
    if grown > 0 { try charge(instance, bytes: grown) }
  }

  func appendCancel(
    of instance: SessionInstance, _ effect: String, _ shownID: UInt64,
    to accepted: inout EventBatch
  ) {
    var record = event(.cancel, of: instance)
    record.id = shownID
    accepted.append(record, name: Array(effect.utf8).span, value: [UInt8]().span)
  }

  func event(_ kind: EventKind, of instance: SessionInstance) -> EventBatch.Record {
    var record = EventBatch.Record(kind: kind, instance: instance.number, time: now)
    record.step = settledStep ?? Int32(answeredStep)
    return record
  }

  private func refusal(
    _ record: EventBatch.Record, _ emitted: EventBatch, of instance: SessionInstance
  ) -> SessionError {
    guard let event = answeredEvent else {
      return contract(instance, "it refused an event that it wasn't given")
    }
    let reason = Refusal.description(record.id, secrets.redacted(emitted.value(of: record)))
    let name = answered.name(of: event)
    guard event.kind == .input else {
      return SessionError(
        .refused(.refusedByPlugin),
        "\(instance.handle) refused the reply to its \"\(name)\": \(reason)")
    }
    return SessionError(
      .refused(Refusal.code(record.id)), "\(instance.handle) refused \"\(name)\": \(reason)",
      tag: event.id)
  }

  /// The error for a plugin that broke its contract. It names the instance, the event that the
  /// plugin was handling, and `how` it broke the contract.
  func contract(_ instance: SessionInstance, _ how: String) -> SessionError {
    var context = ""
    if let event = answeredEvent {
      let isInput = event.kind == .input
      context = " at the \(isInput ? "input" : "reply to") \"\(answered.name(of: event))\""
    }
    return SessionError(
      .contract,
      "\(plugins[instance.plugin].name) broke its contract\(context): \(instance.handle)"
        + " (\(instance.viewModel.id)): \(secrets.redacted(how).terminalSafeLine).",
      tag: answeredInput
    )
  }

  /// The error for a plugin that crashed or hangs, with `how` and with its latest log lines.
  func death(of plugin: Int, _ how: String) -> SessionError {
    let plugin = plugins[plugin]
    return SessionError(
      .contract,
      "\(plugin.name) \(secrets.redacted(how).terminalSafeLine)."
        + plugin.connection.recentLines.appendix(secrets.redacted),
      tag: answeredInput)
  }

  /// The event whose emissions are being checked.
  private var answeredEvent: EventBatch.Record? {
    answered.records.indices.contains(answeredStep) ? answered.records[answeredStep] : nil
  }

  /// The tag of that event, if it is an input.
  private var answeredInput: UInt64? {
    answeredEvent.flatMap { $0.kind == .input ? $0.id : nil }
  }

  private func violation(_ how: String, of plugin: Int) -> SessionError {
    SessionError(.contract, "\(plugins[plugin].name) broke its contract: \(how).")
  }
}

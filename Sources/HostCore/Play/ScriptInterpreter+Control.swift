import Basics

// Lines about the session as a whole, from front ends.
extension ScriptInterpreter {
  /// - Parameters:
  ///   - seq: the number that the sender gave the line, which is answered.
  ///   - others: descriptors whose readiness wakes a wait.
  ///   - isInterrupted: called while time passes or steps are played again; true ends that.
  func carryOut(
    _ control: SessionControl, seq: UInt64?, watching others: [Descriptor.Interest],
    isInterrupted: () -> Bool
  ) throws {
    switch control {
    case .go(let step, let branch):
      try go(to: step, branch: branch, seq: seq, isInterrupted: isInterrupted)
    case .describe:
      for manifest in session.manifests {
        for viewModel in manifest.viewModels {
          session.answer(.viewModel(viewModel, plugin: manifest.id), seq: seq)
        }
      }
    case .save:
      let text = try transcript(isInterrupted: isInterrupted)
      session.answer(.transcript(text), seq: seq)
    case .time(let change):
      try driver.catchUp()
      switch change {
      case .live: driver.setClock(.live)
      case .paused: driver.setClock(.virtual)
      case .toTimer: try passToTimer(watching: others, isInterrupted: isInterrupted)
      case nil: break
      }
      session.answer(
        .time(
          isPaused: driver.clock == .virtual, timers: session.timers, next: session.nextDeadline),
        seq: seq)
    case .hold(let change):
      if let change { try hold(change) }
      tellHeld(seq: seq)
    case .ask(let handle, let id):
      try driver.catchUp()
      try ask(try instance(handle), id)
    }
  }

  /// Says which effects are held.
  package func tellHeld(seq: UInt64? = nil) {
    session.answer(.held(driver.held.sorted(), provided: driver.provided), seq: seq)
  }

  private func hold(_ change: SessionControl.HoldChange) throws {
    guard driver.provided.contains(change.effect) else {
      throw ScriptError(
        "nobody provides \"\(change.effect)\"."
          + NearestName.hint(for: change.effect, among: driver.provided), at: .subject,
        code: .unsupported)
    }
    // Otherwise its requests could never be asked.
    if change.isHeld { _ = try keptHistory() }
    driver.hold(change.effect, change.isHeld)
  }

  private func ask(_ instance: SessionInstance, _ id: UInt64) throws {
    guard let effect = instance.effect(of: id) else { throw session.notOpen(instance, id) }
    guard driver.provided.contains(effect) else {
      throw ScriptError(
        "nobody provides \"\(effect)\": a line has to answer request \(id).", at: .id,
        code: .unsupported)
    }
    guard !driver.isAsked(id, of: instance) else {
      throw ScriptError(
        "the provider of \"\(effect)\" has request \(id) already.", at: .id, code: .unsupported)
    }
    _ = try keptHistory()
    driver.ask(
      id, of: instance, effect, value: session.requestValue(instance.handle, id))
  }

  private func passToTimer(
    watching others: [Descriptor.Interest], isInterrupted: () -> Bool
  ) throws {
    guard let deadline = session.nextDeadline else {
      throw ScriptError("no timer runs.", at: .subject, code: .unsupported)
    }
    try driver.pass(
      max(deadline - session.now, 0), watching: others, isInterrupted: isInterrupted)
  }
}

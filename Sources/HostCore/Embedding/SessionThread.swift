import CanonicalJSON

/// What a session's thread works with. It never leaves the thread.
final class SessionThread {
  private struct Live {
    let engine: SessionEngine
    let driver: SessionDriver
  }

  let plugins: [LoadedPlugin]
  let clock: SessionDriver.Clock
  let relay: EventRouter
  var waits: [Wait] = []
  let desk: SessionState
  private let secrets: Secrets
  /// Nil once the session has ended and its parts are gone.
  private var live: Live?
  private var isOver = false
  private var failure: HostError?
  private var afterwards: [() -> Void] = []

  init(_ plan: SessionPlan, desk: SessionState) throws(HostError) {
    self.desk = desk
    do {
      clock = plan.options.clock == .live ? .live : .virtual
      secrets = try plan.secrets()
      let sandbox = try plan.sandbox()
      let providers = try plan.providers(sandbox)
      let relay = EventRouter(
        plan, provided: providers.map(\.effect), secrets: secrets, desk: desk)
      self.relay = relay
      let engine = SessionEngine(
        options: plan.engineOptions, storage: try plan.storage(), secrets: secrets)
      plugins = try plan.load(into: engine, sandbox) { relay.show(printed: $0) }
      if let path = plan.flow {
        try engine.use(FlowRules(contentsOf: path, engine.manifests))
      }
      let driver = SessionDriver(
        session: engine, clock: clock, providers: providers, report: { relay.take($0) },
        complain: { relay.complain($0) })
      live = Live(engine: engine, driver: driver)
    } catch { throw HostError(error) }
  }

  // MARK: The thread

  /// Does what the mailbox asks and what time brings, until the session ends.
  func run() {
    while !isOver {
      for job in desk.mailbox.take() { job(self) }
      guard !isOver else { break }
      do throws(HostError) {
        try attempt { engine, driver in
          try self.step(engine, driver)
          try driver.wait(
            atMost: self.patience(engine, driver), for: [self.desk.mailbox.interest])
        }
      } catch  where !error.endsSession {
        // Such as an answer that a plugin refused: it has lost nothing but that.
        relay.complain(error.description)
      } catch {}
    }
    if let live {
      do throws(SessionError) {
        try live.engine.finish()
      } catch {
        // Nobody waits for an answer any more.
        relay.complain(secrets.redacted(error.description))
      }
      live.driver.finish()
    }
    live = nil
    for job in desk.close(failure ?? .sessionClosed) { job(self) }
    for body in afterwards { body() }
  }

  /// Ends the session, once.
  ///
  /// - Parameter failure: nil if it was closed.
  func end(_ failure: HostError?) {
    guard !isOver else { return }
    isOver = true
    self.failure = failure
    relay.end(failure)
    for wait in waits { wait.resume(.failure(failure ?? .sessionClosed)) }
    waits = []
  }

  /// Does something once nothing of the session is left.
  func atEnd(_ body: @escaping () -> Void) { afterwards.append(body) }

  /// Uses the parts of the session, which ends if what goes wrong is of that kind.
  func attempt<Value>(
    _ body: (SessionEngine, SessionDriver) throws -> Value
  ) throws(HostError) -> Value {
    guard !isOver, let live else { throw failure ?? .sessionClosed }
    do {
      return try body(live.engine, live.driver)
    } catch {
      let error = HostError(error)
      let shown = HostError(error.code, secrets.redacted(error.description))
      if shown.endsSession { end(shown) }
      throw shown
    }
  }

  // MARK: Instances

  func open(
    _ viewModel: String, as handle: String?, config: JSONValue?
  ) throws(HostError) -> OpenedInstance {
    try attempt { engine, driver in
      try driver.catchUp()
      // What happens while it opens is told once it can be told to somebody.
      defer { driver.takeEvents() }
      return relay.add(try engine.open(viewModel, as: handle, config: config))
    }
  }

  /// Opens what the flow begins with: all of it, or nothing.
  func openStart() throws(HostError) -> [OpenedInstance] {
    let (flow, count) = try attempt { engine, _ in (engine.flow, engine.handles.count) }
    guard let flow else {
      throw HostError(
        .invalid, "the session has no flow that could begin. Open a view model by its id.")
    }
    do throws(HostError) {
      var opened: [OpenedInstance] = []
      for start in flow.starts { opened.append(try open(start)) }
      return opened
    } catch {
      if !error.endsSession { try closeOpened(since: count) }
      throw error
    }
  }

  /// Opens an instance of the start, unless a signal of an earlier one has led there.
  private func open(_ start: FlowRules.Opening) throws(HostError) -> OpenedInstance {
    let open = try attempt { engine, _ in engine.byHandle[start.handle] }
    if let open { return relay.add(open) }
    return try self.open(start.viewModel, as: start.handle, config: start.config)
  }

  private func closeOpened(since count: Int) throws(HostError) {
    let numbers = try attempt { engine, _ in engine.instances.map(\.number) }
    for number in numbers where number >= count { try close(number) }
  }

  func send(
    _ input: String, _ value: [UInt8], to number: Int32, called handle: String
  ) throws(HostError) {
    try attempt { engine, driver in
      try driver.catchUp()
      guard let instance = engine.byNumber[number] else {
        throw HostError(.closed, "the instance \"\(handle)\" is closed.")
      }
      let inputs = instance.viewModel.inputs
      guard let port = inputs.firstIndex(where: { $0.name == input }) else {
        throw HostError(
          .invalid,
          "\(handle) has no input \"\(input)\"."
            + NearestName.hint(for: input, among: inputs.map(\.name)))
      }
      var batch = InputBatch()
      _ = engine.add(to: &batch, instance, port, value: value.span, tag: 0)
      try driver.deliver(&batch)
    }
  }

  func close(_ number: Int32) throws(HostError) {
    try attempt { engine, driver in
      try driver.catchUp()
      guard let instance = engine.byNumber[number] else { return }
      defer { driver.takeEvents() }
      try engine.close(instance.handle)
      relay.close(number)
    }
  }

  /// Gives a plugin what a handler made of its request.
  func answer(_ key: EventRouter.Key, _ answer: EventRouter.Answer) {
    guard relay.finish(key) else { return }
    do throws(HostError) {
      try attempt { engine, driver in
        try driver.catchUp()
        guard let instance = engine.byNumber[key.instance] else { return }
        defer { driver.takeEvents() }
        switch answer {
        case .reply(let value):
          try engine.reply(to: instance, key.id, value: value.span)
        case .failure(let failure):
          try engine.fail(instance, key.id, code: failure.code, message: failure.message)
        }
      }
    } catch  where !error.endsSession {
      relay.complain(error.description)
    } catch {}
  }
}

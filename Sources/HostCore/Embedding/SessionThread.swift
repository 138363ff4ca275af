import Basics
import CanonicalJSON

/// A session on its thread. Only that thread uses it.
final class SessionThread {
  private struct Live {
    let engine: SessionEngine
    let driver: SessionDriver
  }

  let plugins: [LoadedPlugin]
  let router: EventRouter
  var waiters: [Waiter] = []
  let state: SessionState
  private let secrets: Secrets
  /// Nil once the session has ended and its parts are gone.
  private var live: Live?
  private var isOver = false
  private var failure: HostError?
  private var afterwards: [() -> Void] = []

  init(_ plan: SessionPlan, state: SessionState) throws(HostError) {
    self.state = state
    do {
      let configuration = plan.configuration
      secrets = configuration.secrets
      let providers = try configuration.effectProviders()
      let router = EventRouter(
        plan, provided: providers.map(\.effect), secrets: secrets, state: state)
      self.router = router
      let engine = SessionEngine(
        options: try configuration.engineOptions(), storage: try configuration.storage(),
        secrets: secrets)
      // What plugins print while they are loaded is logged even if one of them fails.
      defer {
        engine.takePrinted()
        router.take(engine)
        engine.events.removeAll()
      }
      plugins = try plan.load(into: engine)
      if let path = plan.flow {
        try engine.use(FlowRules(contentsOf: path, engine.manifests))
      }
      let driver = SessionDriver(
        session: engine, clock: configuration.clock, providers: providers,
        idleLimits: Self.idleLimits(configuration.clock), report: { router.take($0) },
        complain: { router.complain($0) })
      driver.isAnsweredElsewhere = { router.isAnswering }
      live = Live(engine: engine, driver: driver)
    } catch { throw HostError(error) }
  }

  /// On a live clock there are no limits: the waiting task can be cancelled.
  private static func idleLimits(_ clock: SessionDriver.Clock) -> SessionDriver.IdleLimits {
    guard clock == .virtual else { return SessionDriver.IdleLimits() }
    var limits = SessionDriver.IdleLimits(.virtual)
    limits.answer = nil
    return limits
  }

  // MARK: The thread

  /// Runs the jobs in the mailbox, and lets time pass, until the session ends.
  func run() {
    while !isOver {
      for job in state.mailbox.take() { job(self) }
      guard !isOver else { break }
      do throws(HostError) {
        try attempt { _, driver in
          let limit = try self.proceed(driver)
          try driver.wait(atMost: limit, for: [self.state.mailbox.interest])
        }
      } catch  where !error.endsSession {
        // For example, a plugin refused an answer. The session goes on without it.
        router.complain(error.description)
      } catch {}
    }
    if let live {
      do throws(SessionError) {
        try live.driver.finishSession()
      } catch {
        // No caller is left that could be told.
        router.complain(secrets.redacted(error.description))
      }
      live.driver.finish()
    }
    live = nil
    for job in state.close(failure ?? .sessionClosed) { job(self) }
    for body in afterwards { body() }
  }

  /// Ends the session. Only the first call has an effect.
  ///
  /// - Parameter failure: the error that ended it; nil if it was closed.
  func end(_ failure: HostError?) {
    guard !isOver else { return }
    isOver = true
    self.failure = failure
    router.end(failure)
    for waiter in waiters { waiter.resume(.failure(failure ?? .sessionClosed)) }
    waiters = []
  }

  /// Calls a closure once the session's parts are gone.
  func atEnd(_ body: @escaping () -> Void) { afterwards.append(body) }

  /// Calls a closure with the parts of the session. The session ends if the error is of that kind.
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

  // MARK: Recording

  func record(to path: String, keeping headers: [String]) throws(HostError) {
    try attempt { engine, driver in
      guard engine.isFresh else {
        throw HostError(
          .invalid, "an instance has been opened already: record the session before the first one.")
      }
      guard !driver.isRecording else {
        throw HostError(.invalid, "the session is being recorded already.")
      }
      do throws(SystemError) {
        driver.record(
          with: try TranscriptRecorder(
            path: path, secrets: secrets, headers: headers, clock: driver.clock))
      } catch {
        throw HostError(.invalid, "could not record to \"\(path)\": \(error.reason).")
      }
    }
  }

  // MARK: Instances

  func open(
    _ viewModel: String, as handle: String?, config: JSONValue?
  ) throws(HostError) -> OpenedInstance {
    try attempt { _, driver in
      try driver.catchUp()
      // The router has to know the instance before it gets the events of the opening.
      defer { driver.takeEvents() }
      return router.add(try driver.open(viewModel, as: handle, config: config))
    }
  }

  /// Opens the instances that the flow starts with: all of them, or none.
  func openStart() throws(HostError) -> [OpenedInstance] {
    let (flow, count) = try attempt { engine, _ in (engine.flow, engine.handles.count) }
    guard let flow else {
      throw HostError(
        .invalid, "the session has no flow. Open a view model by its id.")
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

  /// Opens an instance of the start, unless a signal of an earlier one has already opened it.
  private func open(_ start: FlowRules.Opening) throws(HostError) -> OpenedInstance {
    let open = try attempt { engine, _ in engine.byHandle[start.handle] }
    if let open { return router.add(open) }
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
      guard let instance = engine.living[number] else {
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
      guard let instance = engine.living[number] else { return }
      defer { driver.takeEvents() }
      try driver.close(instance.handle)
      router.close(number)
    }
  }

  /// Gives a plugin a handler's answer to its request.
  func answer(_ key: EventRouter.Key, _ answer: EventRouter.Answer) {
    guard router.finish(key) else { return }
    do throws(HostError) {
      try attempt { engine, driver in
        try driver.catchUp()
        guard let instance = engine.living[key.instance] else { return }
        defer { driver.takeEvents() }
        switch answer {
        case .reply(let value):
          try driver.reply(to: instance, key.id, value: value)
        case .failure(let failure):
          try driver.fail(instance, key.id, code: failure.code, message: failure.message)
        }
      }
    } catch  where !error.endsSession {
      router.complain(error.description)
    } catch {}
  }
}

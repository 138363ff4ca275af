/// Drives a session in the real world: a clock, effect providers, and somewhere to print.
///
/// With a virtual clock time passes only when it is told to, which makes waiting instant; the
/// providers are real all the same, and while one is waited for the clock stands.
package final class SessionDriver {
  package enum Clock: String, Sendable { case live, virtual }

  /// `+ idle` gives up after so many timers, or so much time of the session.
  package struct IdleLimits: Sendable {
    package var timers = 100_000
    package var time: Nanoseconds
    /// How long, on the wall, a provider may take to answer.
    package var answer: Nanoseconds = 600_000_000_000

    package init(_ clock: Clock) {
      time = clock == .live ? 120_000_000_000 : 86_400_000_000_000
    }
  }

  package let session: SessionEngine
  /// Writes the session down; then the clock goes in whole milliseconds, so that the file is short.
  let recorder: TranscriptRecorder?
  private let clock: Clock
  private let idleLimits: IdleLimits
  private let beginning = SystemClock.monotonic()
  private var providers: [String: EffectProvider]
  /// What each open request of a provider is in the session, by the provider's id.
  private var waiting: [UInt64: (instance: SessionInstance, shownID: UInt64, effect: String)] = [:]
  private var nextProviderID: UInt64 = 1
  /// Prints the session's events, which are then taken away.
  private let report: (SessionEngine) -> Void
  /// Prints words that are not an event's, such as those of a provider.
  private let complain: (String) -> Void

  package init(
    session: SessionEngine, clock: Clock, providers: [EffectProvider],
    recorder: TranscriptRecorder? = nil, report: @escaping (SessionEngine) -> Void,
    complain: @escaping (String) -> Void
  ) {
    self.session = session
    self.clock = clock
    self.recorder = recorder
    self.providers = Dictionary(
      providers.map { ($0.effect, $0) }, uniquingKeysWith: { $1 })
    self.report = report
    self.complain = complain
    idleLimits = IdleLimits(clock)
  }

  /// Whether a provider still owes an answer.
  package var isWaiting: Bool { !waiting.isEmpty }

  // MARK: Time

  /// So many timers fire before it is looked whether somebody wants to end that.
  private static let timersAtOnce = 1000

  /// Brings the session to the present: due timers fire, and what happened is reported.
  package func catchUp() throws(SessionError) {
    defer { takeEvents() }
    try recorder?.check()
    if clock == .live { try advance(to: present / tick * tick) }
  }

  /// What the clock shows.
  private var present: Nanoseconds { SystemClock.monotonic() - beginning }

  /// The steps in which the session's time follows the clock.
  private var tick: Nanoseconds { recorder == nil ? 1 : 1_000_000 }

  /// How long it takes until the session's time can be `time`.
  private func timeUntil(_ time: Nanoseconds) -> Nanoseconds {
    let (rounded, overflow) = time.addingReportingOverflow(tick - 1)
    return max((overflow ? time : rounded / tick * tick) - present, 0)
  }

  /// Delivers inputs and reports what comes of them.
  package func deliver(_ batch: inout InputBatch) throws(SessionError) {
    try start(&batch)
    try finishDelivery()
  }

  /// Begins to deliver inputs, once those that are under way are finished and reported. What comes
  /// of these is reported at the next `finishDelivery` at the latest.
  package func start(_ batch: inout InputBatch) throws(SessionError) {
    if session.isUnderWay {
      try finishDelivery()
      try catchUp()
    }
    guard !batch.isEmpty else { return }
    if let recorder { return try deliver(&batch, to: recorder) }
    defer { takeEvents() }
    try session.start(&batch)
  }

  /// Waits for the inputs that are under way, and reports what came of them.
  package func finishDelivery() throws(SessionError) {
    guard session.isUnderWay else { return }
    defer { takeEvents() }
    try session.finishDelivery()
  }

  /// How long to wait at the most before the next timer is due; nil if there is none to wait for.
  private var untilNextTimer: Nanoseconds? {
    guard clock == .live, let deadline = session.nextDeadline else { return nil }
    return timeUntil(deadline)
  }

  /// Lets time pass.
  ///
  /// - Parameter isInterrupted: asked between events; true ends the wait.
  package func pass(
    _ span: Nanoseconds, watching others: [Descriptor.Interest], isInterrupted: () -> Bool
  ) throws(DriverError) {
    try attempt { () throws(SessionError) in try catchUp() }
    let (sum, overflow) = session.now.addingReportingOverflow(span)
    let target = overflow ? .max : sum
    guard clock == .live else {
      // In pieces, so that a long time shows what happens in it, can be interrupted, and needs no
      // more memory than a short one.
      var fired = 0
      repeat {
        try attempt { () throws(SessionError) in
          defer { takeEvents() }
          fired = try advance(to: target, firingAtMost: Self.timersAtOnce)
        }
      } while fired >= Self.timersAtOnce && !isInterrupted()
      return
    }
    while session.now < target && !isInterrupted() {
      try wait(atMost: timeUntil(target), for: others)
    }
  }

  /// Runs until no timer is left and no request that a provider answers is open.
  package func passUntilIdle(
    watching others: [Descriptor.Interest], isInterrupted: () -> Bool
  ) throws(DriverError) {
    try attempt { () throws(SessionError) in try catchUp() }
    let start = session.now
    let waitingSince = SystemClock.monotonic()
    var fired = 0
    while !isInterrupted() {
      if clock == .virtual && waiting.isEmpty {
        guard let deadline = session.nextDeadline else { return }
        // All timers of that time, as where time passes otherwise, even if somebody is asked.
        repeat {
          try attempt { () throws(SessionError) in
            defer { takeEvents() }
            fired += try advance(to: deadline, firingAtMost: 1)
          }
        } while session.nextDeadline == deadline && !isInterrupted()
      } else {
        guard session.nextDeadline != nil || !waiting.isEmpty else { return }
        let waited = SystemClock.monotonic() - waitingSince
        guard waited < idleLimits.answer else { throw endless(idleLimits.answer) }
        try wait(atMost: idleLimits.answer - waited, for: others)
      }
      if session.nextDeadline != nil && waiting.isEmpty {
        guard fired <= idleLimits.timers, session.now - start <= idleLimits.time else {
          throw endless(session.now - start)
        }
      }
    }
  }

  private func endless(_ span: Nanoseconds) -> DriverError {
    let reason =
      waiting.isEmpty ? "timers go on for ever" : "a provider has not answered a request"
    let whole = span / 1_000_000_000 * 1_000_000_000
    return .endless(
      "\"+ idle\" gave up after \(TimeSpan.text(max(whole, 0))): \(reason)."
        + " Let a fixed time pass instead, as in \"+ 5s\".")
  }

  // MARK: Waiting

  /// Waits until something happens, or `limit` has passed, and takes it in.
  ///
  /// - Returns: `others`, each with whether it is ready.
  @discardableResult
  package func wait(
    atMost limit: Nanoseconds?, for others: [Descriptor.Interest]
  ) throws(DriverError) -> [Descriptor.Interest] {
    var interests = others
    for provider in providers.values { interests.append(contentsOf: provider.interests) }
    var timeouts = [limit, untilNextTimer].compactMap { $0 }
    if providers.values.contains(where: \.hasNews) { timeouts.append(0) }
    do throws(SystemError) {
      try Descriptor.wait(for: &interests, timeout: timeouts.min())
    } catch { throw .system(error) }
    try attempt { () throws(SessionError) in
      try catchUp()
      try takeReplies()
    }
    return Array(interests[..<others.count])
  }

  private func takeReplies() throws(SessionError) {
    for provider in providers.values.sorted(by: { $0.effect < $1.effect }) {
      for message in provider.receive() {
        defer { takeEvents() }
        switch message {
        case .reply(let id, let value):
          guard let request = waiting.removeValue(forKey: id) else { continue }
          try deliver { () throws(SessionError) in
            try reply(to: request.instance, request.shownID, value: value)
          }
        case .failure(let id, let code, let text):
          guard let request = waiting.removeValue(forKey: id) else { continue }
          try deliver { () throws(SessionError) in
            try fail(request.instance, request.shownID, code: code, message: text)
          }
        case .log(let level, let text):
          complain("\(level) from the provider of \"\(provider.effect)\": \(text)")
        }
      }
    }
  }

  /// A plugin that refuses a provider's reply has lost nothing but that reply.
  private func deliver(_ body: () throws(SessionError) -> Void) throws(SessionError) {
    do throws(SessionError) {
      try body()
    } catch {
      guard !error.endsSession else { throw error }
      complain(error.description)
    }
  }

  private func attempt(_ body: () throws(SessionError) -> Void) throws(DriverError) {
    do throws(SessionError) { try body() } catch { throw .session(error) }
  }

  // MARK: Events

  /// Reports what has happened and passes requests on to their providers.
  package func takeEvents() {
    recorder?.take(session)
    guard !session.events.isEmpty else { return }
    report(session)
    if session.events.hasRequests {
      for record in session.events.records {
        switch record.kind {
        case .request: send(record)
        case .cancel: cancel(record)
        default: break
        }
      }
    }
    session.events.removeAll()
  }

  private func send(_ record: EventBatch.Record) {
    let effect = session.events.name(of: record)
    guard let provider = providers[effect],
      let instance = session.byNumber[record.instance]
    else { return }
    let id = nextProviderID
    nextProviderID += 1
    waiting[id] = (instance, record.id, effect)
    let bytes = session.events.bytes
    provider.send(id: id, value: bytes.span.extracting(record.value))
  }

  private func cancel(_ record: EventBatch.Record) {
    dismissProvider(ofRequest: record.id, of: record.instance)
  }

  /// Tells a provider that nobody waits for its answer any more.
  func dismissProvider(ofRequest shownID: UInt64, of instance: Int32) {
    guard
      let open = waiting.first(where: {
        $0.value.instance.number == instance && $0.value.shownID == shownID
      })
    else { return }
    waiting[open.key] = nil
    providers[open.value.effect]?.cancel(id: open.key)
  }

  /// Ends the providers.
  package func finish() {
    for provider in providers.values { provider.finish() }
  }
}

/// Why a driver stopped.
package enum DriverError: Error, Equatable, Sendable {
  case session(SessionError)
  case system(SystemError)
  /// `+ idle` on a session that never becomes idle, in words.
  case endless(String)
}

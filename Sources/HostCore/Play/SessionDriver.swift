import Basics

/// Connects a session to the outside: a clock, effect providers, and a printer.
///
/// A virtual clock moves only when it is told to, so waiting takes no time. The providers are real
/// even then, and the clock stands still until they have answered.
///
/// The command line, replays and apps all drive their sessions with it.
package final class SessionDriver {
  package enum Clock: String, Sendable { case live, virtual }

  /// The limits of a wait for an idle session; nil for none.
  package struct IdleLimits: Sendable {
    /// How many timers may fire meanwhile.
    package var timers: Int?
    /// How much of the session's time may pass meanwhile.
    package var time: Nanoseconds?
    /// How much real time a provider may take to answer.
    package var answer: Nanoseconds?

    package init(timers: Int? = nil, time: Nanoseconds? = nil, answer: Nanoseconds? = nil) {
      self.timers = timers
      self.time = time
      self.answer = answer
    }

    /// The limits of the command line.
    package init(_ clock: Clock) {
      let (minutes, day): (Nanoseconds, Nanoseconds) = (120_000_000_000, 86_400_000_000_000)
      self.init(
        timers: 100_000, time: clock == .live ? minutes : day, answer: 600_000_000_000)
    }
  }

  package private(set) var session: SessionEngine
  /// Records the session.
  private(set) var recorder: TranscriptRecorder?
  package private(set) var clock: Clock
  /// Nil for those of the command line.
  private let givenLimits: IdleLimits?
  private var beginning = SystemClock.monotonic()
  let providers: [String: EffectProvider]
  /// The requests that providers still have to answer.
  var waiting = ProviderRequests()
  /// The effects whose providers get no requests.
  package internal(set) var held: Set<String> = []
  /// Prints the session's events, which are removed afterwards.
  private let report: (SessionEngine) -> Void
  /// Prints a message that isn't an event, such as one of a provider.
  private let complain: (String) -> Void

  package init(
    session: SessionEngine, clock: Clock, providers: [EffectProvider],
    recorder: TranscriptRecorder? = nil, idleLimits: IdleLimits? = nil,
    report: @escaping (SessionEngine) -> Void,
    complain: @escaping (String) -> Void
  ) {
    self.session = session
    self.clock = clock
    self.recorder = recorder
    self.providers = Dictionary(
      providers.map { ($0.effect, $0) }, uniquingKeysWith: { $1 })
    self.report = report
    self.complain = complain
    givenLimits = idleLimits
  }

  /// Whether an answer is still to come from anything but a provider.
  package var isAnsweredElsewhere: () -> Bool = { false }

  /// Whether an answer is still to come, from a provider or from elsewhere.
  package var isWaiting: Bool { !waiting.isEmpty || isAnsweredElsewhere() }

  package var isRecording: Bool { recorder != nil }

  /// Records the session from now on. It must not have opened an instance yet.
  package func record(with recorder: TranscriptRecorder) {
    precondition(session.isFresh, "a recording of a session that has begun could not be replayed")
    session.replaceStorage(recorder.watch)
    self.recorder = recorder
  }

  /// Begins the session's time now, if nothing has happened yet.
  package func beginTime() {
    if session.isFresh { beginning = SystemClock.monotonic() }
  }

  /// Goes on with another session, from its time on. Providers go on with the requests that it has
  /// open under the same numbers; cancel all others first.
  func adopt(_ other: SessionEngine) {
    takeEvents()
    waiting.move(to: other)
    other.showsSteps = session.showsSteps
    session = other
    beginning = SystemClock.monotonic() - other.now
  }

  /// Changes how time passes from now on.
  func setClock(_ clock: Clock) {
    self.clock = clock
    beginning = SystemClock.monotonic() - session.now
  }

  var idleLimits: IdleLimits { givenLimits ?? IdleLimits(clock) }

  // MARK: Time

  /// Brings the session to the present: due timers fire, and what happened is reported.
  package func catchUp() throws(SessionError) {
    defer { takeEvents() }
    try recorder?.check()
    if clock == .live { try advance(to: present / tick * tick) }
  }

  /// The clock's time since the beginning.
  private var present: Nanoseconds {
    let (time, overflow) = SystemClock.monotonic().subtractingReportingOverflow(beginning)
    return overflow ? .max : time
  }

  /// The steps in which the session's time follows the clock. A transcript of whole milliseconds is
  /// shorter.
  private var tick: Nanoseconds { recorder == nil && session.history == nil ? 1 : 1_000_000 }

  /// How long it takes until the session's time can reach `time`.
  func timeUntil(_ time: Nanoseconds) -> Nanoseconds {
    let (rounded, overflow) = time.addingReportingOverflow(tick - 1)
    return max((overflow ? time : rounded / tick * tick) - present, 0)
  }

  /// Delivers inputs and reports what they lead to.
  package func deliver(_ batch: inout InputBatch) throws(SessionError) {
    try start(&batch)
    try finishDelivery()
  }

  /// Begins to deliver inputs, once the previous ones are finished and reported. What these lead to
  /// is reported by the next `finishDelivery` at the latest.
  package func start(_ batch: inout InputBatch) throws(SessionError) {
    if session.isUnderWay {
      try finishDelivery()
      try catchUp()
    }
    guard !batch.isEmpty else { return }
    if let recorder {
      guard session.canRecordLater(batch) else { return try deliver(&batch, to: recorder) }
      // Events from before these inputs must not be recorded as their output.
      takeEvents()
    }
    defer { takeEvents() }
    do throws(SessionError) {
      try session.start(&batch, recorder: recorder)
    } catch {
      if error.endsSession { recorder?.breakOff() }
      throw error
    }
  }

  /// Waits for the inputs that are under way, and reports what they led to.
  package func finishDelivery() throws(SessionError) {
    while session.isUnderWay { try continueDelivery() }
  }

  /// Waits for inputs that are under way, as many as lead to a good number of events, and reports
  /// these.
  func continueDelivery() throws(SessionError) {
    defer { takeEvents() }
    do throws(SessionError) {
      try session.continueDelivery()
    } catch {
      if error.endsSession { recorder?.breakOff() }
      throw error
    }
  }

  /// How long it takes until the next timer is due; nil if there is none to wait for.
  private var untilNextTimer: Nanoseconds? {
    guard clock == .live, let deadline = session.nextDeadline else { return nil }
    return timeUntil(deadline)
  }

  // MARK: Waiting

  /// Waits until something happens or `limit` has passed, and handles what has happened.
  ///
  /// - Returns: `others`, each marked as ready or not.
  @discardableResult
  package func wait(
    atMost limit: Nanoseconds?, for others: [Descriptor.Interest]
  ) throws -> [Descriptor.Interest] {
    var interests = others
    for provider in providers.values { interests.append(contentsOf: provider.interests) }
    var timeouts = [limit, untilNextTimer].compactMap { $0 }
    if providers.values.contains(where: \.hasPendingMessages) { timeouts.append(0) }
    try Descriptor.wait(for: &interests, timeout: timeouts.min())
    try catchUp()
    try takeReplies()
    return Array(interests[..<others.count])
  }

  private func takeReplies() throws(SessionError) {
    for provider in providers.values.sorted(by: { $0.effect < $1.effect }) {
      for message in provider.receive() {
        defer { takeEvents() }
        switch message {
        case .reply(let id, let value):
          guard let request = waiting.remove(id) else { continue }
          try deliver { () throws(SessionError) in
            try reply(to: request.instance, request.shownID, value: value)
          }
        case .failure(let id, let code, let text):
          guard let request = waiting.remove(id) else { continue }
          try deliver { () throws(SessionError) in
            try fail(request.instance, request.shownID, code: code, message: text)
          }
        case .log(let level, let text):
          complain("\(level) from the provider of \"\(provider.effect)\": \(text)")
        }
      }
    }
  }

  /// Delivers a provider's reply. If the plugin refuses it, only that reply is lost.
  private func deliver(_ body: () throws(SessionError) -> Void) throws(SessionError) {
    do throws(SessionError) {
      try body()
    } catch {
      guard !error.endsSession else { throw error }
      complain(error.description)
    }
  }

  // MARK: Events

  /// Reports the events so far, and passes requests on to their providers.
  package func takeEvents() {
    recorder?.take(session)
    guard !session.events.isEmpty || !session.answers.isEmpty else { return }
    report(session)
    session.answers.removeAll(keepingCapacity: true)
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
    guard let provider = providers[effect], !held.contains(effect),
      let instance = session.living[record.instance]
    else { return }
    let id = waiting.add(record.id, of: instance, effect)
    let bytes = session.events.bytes
    provider.send(id: id, value: bytes.span.extracting(record.value))
  }

  private func cancel(_ record: EventBatch.Record) {
    dismissProvider(ofRequest: record.id, of: record.instance)
  }

  /// Tells a provider that its answer is no longer needed.
  func dismissProvider(ofRequest shownID: UInt64, of instance: Int32) {
    guard let (id, request) = waiting.remove(shownID, of: instance) else { return }
    providers[request.effect]?.cancel(id: id)
  }

  /// Ends the providers.
  package func finish() {
    for provider in providers.values { provider.finish() }
  }
}

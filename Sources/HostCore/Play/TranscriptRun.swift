import Basics

/// A simulated session, and the transcript that is played in it.
package final class TranscriptRun {
  package let session: SessionEngine
  private let source: TranscriptSource
  private let interpreter: ScriptInterpreter
  private let found: TranscriptPlayer.EventSink
  /// The summary of its lines: of all lines, or of those so far if it is read while it is played.
  package private(set) var summary: ScriptSummary
  private let isRead: Bool
  /// Finds the requests that replies are for, if the transcript is to be rewritten.
  package var matching: RequestMatching?

  /// Prepares a transcript that was already read.
  ///
  /// - Parameter load: loads the library at a path, by the name that the user knows it by.
  package convenience init(
    _ file: TranscriptFile, _ context: ReplayContext, _ limits: StepLimits,
    load: @escaping (_ path: String, _ name: String) throws -> any PluginConnection
  ) throws {
    self.init(
      file.source, context, limits, secrets: context.secrets(file.secrets(within: context.fence)),
      summary: file.summary,
      locate: { try context.path(of: $0, in: file.source.folder) }, load: load)
    for setting in file.summary.settings { try interpreter.configure(setting) }
    interpreter.isConfigured = true
  }

  /// Prepares a transcript that is read while it is played, so that each line is read once. A
  /// mistake is reported only after the steps before it were made.
  ///
  /// - Parameter load: loads the library of a name.
  package convenience init(
    once source: TranscriptSource, _ context: ReplayContext, _ limits: StepLimits,
    load: @escaping (_ name: String) throws -> any PluginConnection
  ) {
    self.init(
      source, context, limits, secrets: Secrets(), summary: nil, locate: { $0 },
      load: { _, name in try load(name) })
  }

  private init(
    _ source: TranscriptSource, _ context: ReplayContext, _ limits: StepLimits, secrets: Secrets,
    summary: ScriptSummary?, locate: @escaping (_ name: String) throws -> String,
    load: @escaping (_ path: String, _ name: String) throws -> any PluginConnection
  ) {
    self.source = source
    self.summary = summary ?? ScriptSummary()
    isRead = summary != nil
    let storage = MemoryStorage()
    var options = SessionEngine.Options()
    options.limits = limits
    session = SessionEngine(options: options, storage: storage, secrets: secrets)
    let found = TranscriptPlayer.EventSink()
    self.found = found
    let driver = SessionDriver(
      session: session, clock: .virtual, providers: [], report: found.take,
      complain: { _ in preconditionFailure("there is no provider to complain of") })
    interpreter = ScriptInterpreter(
      driver: driver, storage: storage, locate: locate, load: load)
    interpreter.folder = source.folder
    interpreter.placeholders = context.secrets
    interpreter.fence = context.fence
  }

  /// Plays the transcript to its end, or until the observer has seen enough, and ends the session.
  ///
  /// - Parameters:
  ///   - compares: whether steps are compared with their lines.
  ///   - breaksOff: whether it is an unfinished recording.
  ///   - isInterrupted: called between steps; true ends the replay.
  /// - Returns: how many steps there were.
  package func play(
    compares: Bool, breaksOff: Bool = false, observer: any TranscriptObserver,
    isInterrupted: @escaping () -> Bool
  ) throws(TranscriptError) -> Int {
    let player = TranscriptPlayer(
      try TranscriptReader(source), interpreter, found: found, compares: compares,
      breaksOff: breaksOff, observer: observer, isInterrupted: isInterrupted)
    player.matching = matching
    if !isRead { player.willTake = { [self] line throws(ScriptError) in try summary.take(line) } }
    defer { observer.didEnd(session) }
    do throws(TranscriptError) {
      try player.play()
    } catch {
      // The process may serve another session. What ended this one is known.
      try? session.finish()
      throw error
    }
    do throws(SessionError) {
      try session.finish()
    } catch {
      let failure = SessionFailure(error)
      throw TranscriptError(
        verdict: .crashed, kind: failure.kind,
        message: "\(source.path): \(failure.description)")
    }
    return player.steps
  }

  /// Plays the transcript, and gives up at a deadline.
  ///
  /// - Parameters:
  ///   - deadline: a time of the monotonic clock.
  ///   - timeout: the time until the deadline, for the error.
  package func play(
    until deadline: Nanoseconds, timeout: Nanoseconds, compares: Bool,
    observer: any TranscriptObserver, isInterrupted: @escaping () -> Bool
  ) throws(TranscriptError) -> Int {
    let steps = try play(
      compares: compares, observer: observer,
      isInterrupted: { isInterrupted() || SystemClock.monotonic() > deadline })
    guard SystemClock.monotonic() > deadline else { return steps }
    throw TranscriptError(
      verdict: .timedOut, kind: .brokenPlugin,
      message: "\(source.path): it takes longer than \(TimeSpan.text(timeout))."
        + " \"--timeout\" gives it more.")
  }
}

// An app that opens view models writes their configs as JSON values.
@_exported public import CanonicalJSON
import Synchronization

/// One run of some plugins, with its own clock, store and answers to effects.
///
/// A session has a thread of its own. Calls from outside wait for their turn on it, without
/// blocking the threads that make them. A session closes when neither it nor any of its instances
/// is referenced any more.
///
/// Once a session is over, its calls and those of its instances throw: `closed` if it was closed,
/// otherwise the error that ended it.
public final class Session: Sendable {
  /// The plugins, in the order of the call that started the session.
  public let plugins: [LoadedPlugin]
  let state: SessionState

  private init(plugins: [LoadedPlugin], state: SessionState) {
    self.plugins = plugins
    self.state = state
  }

  deinit { state.mailbox.post { $0.end(nil) } }

  static func start(_ plan: SessionPlan) async throws(HostError) -> Session {
    let state: SessionState
    do throws(SystemError) { state = try SessionState() } catch { throw HostError(error) }
    let started = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<[LoadedPlugin], HostError>, Never>) in
      do throws(SystemError) {
        // Plugins are loaded on this thread too. The parts of a session never leave it, and loading
        // waits for files and processes, which must not block a thread of Swift's tasks.
        try DetachedThread.start {
          do throws(HostError) {
            let thread = try SessionThread(plan, state: state)
            continuation.resume(returning: .success(thread.plugins))
            thread.run()
          } catch { continuation.resume(returning: .failure(error)) }
        }
      } catch { continuation.resume(returning: .failure(HostError(error))) }
    }
    return Session(plugins: try started.get(), state: state)
  }

  // MARK: Instances

  /// Opens an instance of a view model. When this returns, its frame has the first values.
  ///
  /// - Parameters:
  ///   - viewModel: the id of the view model, such as `movies.list`.
  ///   - handle: the name of the instance in the session; nil for the last part of the id.
  ///   - config: a JSON object; nil for the view model's defaults.
  /// - Throws: a `HostError`:
  ///   - `invalid` if no plugin has the view model, if the handle is taken or isn't a name, or if
  ///     the config isn't an object or names an unknown secret;
  ///   - `refused` if the plugin refuses the config;
  ///   - `closed` if the session is closed;
  ///   - `brokenPlugin` or `system` if that ends the session, or has ended it.
  public func open(
    _ viewModel: String, as handle: String? = nil, config: JSONValue? = nil
  ) async throws(HostError) -> Instance {
    try await openWith(config, viewModel, as: handle)
  }

  /// Opens an instance of a view model, with a config of a type of the app's.
  ///
  /// - Parameters:
  ///   - viewModel: the id of the view model, such as `movies.list`.
  ///   - handle: the name of the instance in the session; nil for the last part of the id.
  ///   - config: a value that is written as a JSON object.
  /// - Throws: the same errors as the other `open`. The code is `invalid` also if the config can't
  ///   be written as JSON.
  public func open(
    _ viewModel: String, as handle: String? = nil, config: some Encodable
  ) async throws(HostError) -> Instance {
    let subject = "the config of \(viewModel)"
    let bytes = try Coding.encode(config, as: subject)
    return try await openWith(
      try Coding.decode(JSONValue.self, from: bytes, of: subject), viewModel, as: handle)
  }

  private func openWith(
    _ config: JSONValue?, _ viewModel: String, as handle: String?
  ) async throws(HostError) -> Instance {
    let opened = try await perform { thread throws(HostError) in
      try thread.open(viewModel, as: handle, config: config)
    }
    return Instance(opened, session: self)
  }

  // MARK: Time

  /// The session's time, counted from its beginning.
  ///
  /// - Throws: a `HostError` with the code `closed` if the session is closed; `brokenPlugin` or
  ///   `system` if that ends the session, or has ended it.
  public var time: Duration {
    get async throws(HostError) {
      try await perform { thread throws(HostError) in try thread.time() }
    }
  }

  /// Lets time pass, and fires the timers that are due: at once on a virtual clock, by waiting on a
  /// live one.
  ///
  /// A session's time ends 292 years after its beginning; a longer span advances it to that end.
  ///
  /// - Throws: a `HostError`:
  ///   - `invalid` if the span is negative;
  ///   - `cancelled` if the task is cancelled meanwhile; time then stays where it has got to;
  ///   - `closed` if the session is closed, before or meanwhile;
  ///   - `brokenPlugin` or `system` if that ends the session, or has ended it.
  public func advance(by span: Duration) async throws(HostError) {
    guard span >= .zero else { throw HostError(.invalid, "time can't go back by \(span).") }
    try await wait { driver throws(SessionError) in
      try driver.beginWait(for: span.wholeNanoseconds)
    }
  }

  /// Lets time pass until no timer is left, and every request that somebody answers has been
  /// answered.
  ///
  /// - Throws: a `HostError`:
  ///   - `endless` on a virtual clock, after 100,000 timers or a day of the session's time; on a
  ///     live clock, it waits until the task is cancelled;
  ///   - `cancelled` if the task is cancelled meanwhile;
  ///   - `closed` if the session is closed, before or meanwhile;
  ///   - `brokenPlugin` or `system` if that ends the session, or has ended it.
  public func idle() async throws(HostError) {
    try await wait { driver throws(SessionError) in try driver.beginWaitUntilIdle() }
  }

  // MARK: The end

  /// Closes all instances, ends the plugins and the programs that answer effects, and returns when
  /// that is done. If the session is over already, this only returns.
  public func close() async {
    state.beginToClose()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isPosted = state.mailbox.post { thread in
        thread.end(nil)
        thread.atEnd { continuation.resume() }
      }
      if !isPosted { continuation.resume() }
    }
  }

  // MARK: Turns on the session's thread

  /// Runs a closure on the session's thread.
  ///
  /// - Throws: what the closure throws; the reason of the end if the session is over.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable (SessionThread) throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, HostError>, Never>) in
      let isPosted = state.mailbox.post { thread in
        continuation.resume(
          returning: Result { () throws(HostError) in try body(thread) })
      }
      if !isPosted { continuation.resume(returning: .failure(state.ending)) }
    }
    return try result.get()
  }

  /// Waits until the session has reached a goal, or the task is cancelled.
  private func wait(for begin: @escaping SessionThread.Beginning) async throws(HostError) {
    let cancellation = CancellationFlag()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Void, HostError>, Never>) in
        let isPosted = state.mailbox.post { thread in
          thread.wait(for: begin, cancellation) { continuation.resume(returning: $0) }
        }
        if !isPosted { continuation.resume(returning: .failure(state.ending)) }
      }
    } onCancel: {
      cancellation.cancel()
      // The session checks after each job whether the task still waits.
      state.mailbox.post { _ in }
    }
    try result.get()
  }
}

/// Tells another thread that a waiting task was cancelled.
final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  func cancel() { flag.store(true, ordering: .releasing) }
}

/// What a session's thread shares with all other threads.
final class SessionState: Sendable {
  let mailbox: Mailbox<SessionThread>
  /// The openings and closings of instances.
  let changes = Broadcast<InstanceEvent>()
  private let error = Mutex<HostError?>(nil)
  private let closing = Atomic(false)

  init() throws(SystemError) { mailbox = try Mailbox() }

  /// The error of calls that come after the end.
  var ending: HostError { error.withLock { $0 } ?? .sessionClosed }

  /// Whether the session is about to be closed. Long work stops for that.
  var isClosing: Bool { closing.load(ordering: .acquiring) }

  func beginToClose() { closing.store(true, ordering: .releasing) }

  /// Refuses jobs from now on.
  ///
  /// - Parameter ending: the error of calls that come later.
  /// - Returns: the jobs that came before.
  func close(_ ending: HostError) -> [Mailbox<SessionThread>.Job] {
    error.withLock { $0 = ending }
    return mailbox.close()
  }
}

extension HostError {
  static let sessionClosed = HostError(.closed, "the session is closed.")
  static let waitCancelled = HostError(.cancelled, "the task that waited was cancelled.")
}

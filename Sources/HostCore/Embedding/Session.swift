// An app that opens view models writes their configs as JSON values.
@_exported public import CanonicalJSON
import Synchronization

/// One run of some plugins, with a clock, a store and answers to effects of its own.
///
/// All of it happens on one thread that the session has for itself; every call from outside waits
/// its turn there without blocking the thread that makes it. A session that nobody holds any more,
/// and none of whose instances anybody holds, is closed.
public final class Session: Sendable {
  /// In the order in which they were named.
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
        // Plugins are loaded on this thread too: the parts of a session never leave it, and
        // loading waits for files and processes, which no thread of Swift's tasks may do.
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

  /// Opens an instance of a view model. Its first frame is there when this returns.
  ///
  /// - Parameters:
  ///   - handle: what to call it; nil for the last part of the view model's id.
  ///   - config: a JSON object; nil for the view model's defaults.
  public func open(
    _ viewModel: String, as handle: String? = nil, config: JSONValue? = nil
  ) async throws(HostError) -> Instance {
    try await openWith(config, viewModel, as: handle)
  }

  /// Opens an instance of a view model with a config of the app's own type.
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

  /// The time since the session's beginning.
  public var time: Duration {
    get async throws(HostError) {
      try await perform { thread throws(HostError) in try thread.time() }
    }
  }

  /// Lets time pass: at once on a virtual clock, by waiting on a live one.
  ///
  /// A session's time ends 292 years after its beginning; a longer span takes it there. If the
  /// task is cancelled or the session is closed meanwhile, this throws, and time stays where it is.
  public func advance(by span: Duration) async throws(HostError) {
    guard span >= .zero else { throw HostError(.invalid, "time can't go back by \(span).") }
    try await wait { driver throws(SessionError) in
      try driver.beginWait(for: span.wholeNanoseconds)
    }
  }

  /// Lets time pass until no timer is left and no request is open that somebody answers.
  ///
  /// On a virtual clock it gives up after 100,000 timers or a day; on a live one it waits until
  /// its task is cancelled.
  public func idle() async throws(HostError) {
    try await wait { driver throws(SessionError) in try driver.beginWaitUntilIdle() }
  }

  // MARK: The end

  /// Ends all instances, the plugins, and the programs that answered effects, and returns when that
  /// is done. Nothing happens if the session is over.
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

  /// Does something on the session's thread.
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
    let patience = Patience()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Void, HostError>, Never>) in
        let isPosted = state.mailbox.post { thread in
          thread.wait(for: begin, patience) { continuation.resume(returning: $0) }
        }
        if !isPosted { continuation.resume(returning: .failure(state.ending)) }
      }
    } onCancel: {
      patience.end()
      // The session looks after each job whether anybody still waits.
      state.mailbox.post { _ in }
    }
    try result.get()
  }
}

/// Whether a task still waits.
final class Patience: Sendable {
  private let flag = Atomic(true)

  var lasts: Bool { flag.load(ordering: .acquiring) }

  func end() { flag.store(false, ordering: .releasing) }
}

/// What a session's thread and all others share.
final class SessionState: Sendable {
  let mailbox: Mailbox<SessionThread>
  /// What opens and closes.
  let changes = Broadcast<InstanceEvent>()
  private let error = Mutex<HostError?>(nil)
  private let closing = Atomic(false)

  init() throws(SystemError) { mailbox = try Mailbox() }

  /// What a call gets that comes after the end.
  var ending: HostError { error.withLock { $0 } ?? .sessionClosed }

  /// Whether a job that closes the session has come, or is about to: long work ends for it.
  var isClosing: Bool { closing.load(ordering: .acquiring) }

  func beginToClose() { closing.store(true, ordering: .releasing) }

  /// Takes no more jobs from now on.
  ///
  /// - Returns: those that came before.
  func close(_ ending: HostError) -> [Mailbox<SessionThread>.Job] {
    error.withLock { $0 = ending }
    return mailbox.close()
  }
}

extension HostError {
  static let sessionClosed = HostError(.closed, "the session is closed.")
  static let waitCancelled = HostError(.cancelled, "the task that waited was cancelled.")
}

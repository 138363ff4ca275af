import Synchronization

/// What an app sees of an instance: its frame, and what goes to its subscribers.
///
/// The session's thread writes it, all others read it.
final class InstanceFeed: Sendable {
  typealias Event = Result<Instance.Output, HostError>

  private struct State: Sendable {
    var frame: Frame
    var subscribers: [Int: AsyncStream<Event>.Continuation] = [:]
    var nextSubscriber = 0
    var hasEnded = false
    /// What ended it; nil if it was closed.
    var failure: HostError?
  }

  private let state: Mutex<State>

  init(_ frame: Frame) { state = Mutex(State(frame: frame)) }

  var frame: Frame { state.withLock { $0.frame } }

  /// A stream of all that is published from now on.
  func subscribe() -> AsyncStream<Event> {
    let (stream, subscriber) = AsyncStream.makeStream(of: Event.self)
    let (number, failure): (Int?, HostError?) = state.withLock { state in
      guard !state.hasEnded else { return (nil, state.failure) }
      state.nextSubscriber += 1
      state.subscribers[state.nextSubscriber] = subscriber
      return (state.nextSubscriber, nil)
    }
    if let number {
      subscriber.onTermination = { [weak self] _ in self?.unsubscribe(number) }
    } else {
      if let failure { subscriber.yield(.failure(failure)) }
      subscriber.finish()
    }
    return stream
  }

  private func unsubscribe(_ number: Int) {
    // Not under the lock: what is let go of may come back here.
    let gone = state.withLock { $0.subscribers.removeValue(forKey: number) }
    gone?.finish()
  }

  /// Shows new values, and then tells of what led to them.
  func publish(_ outputs: [Instance.Output], values: [[UInt8]]) {
    let subscribers = state.withLock { state in
      state.frame.values = values
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers {
      for output in outputs { subscriber.yield(.success(output)) }
    }
  }

  /// Ends all streams, those that are made later too.
  ///
  /// - Parameter failure: nil if the instance was closed.
  func end(_ failure: HostError?) {
    let subscribers = state.withLock { state in
      guard !state.hasEnded else { return [AsyncStream<Event>.Continuation]() }
      state.hasEnded = true
      state.failure = failure
      defer { state.subscribers = [:] }
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers {
      if let failure { subscriber.yield(.failure(failure)) }
      subscriber.finish()
    }
  }
}

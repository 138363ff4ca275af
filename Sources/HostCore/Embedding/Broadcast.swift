import Synchronization

/// Sends elements to all subscribers, from any thread to any thread.
final class Broadcast<Element: Sendable>: Sendable {
  typealias Event = Result<Element, HostError>

  private struct State: Sendable {
    var subscribers: [Int: AsyncStream<Event>.Continuation] = [:]
    var nextSubscriber = 0
    var hasEnded = false
    /// The error that ended it; nil if it was closed.
    var failure: HostError?
  }

  private let state = Mutex(State())

  /// Returns a stream of everything that is sent from now on.
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
    // Not under the lock: releasing the stream may call this again.
    let gone = state.withLock { $0.subscribers.removeValue(forKey: number) }
    gone?.finish()
  }

  /// Sends elements to each subscriber.
  ///
  /// - Parameter make: makes the elements. It is called once for each subscriber, since some
  ///   elements can't be shared.
  func send(_ make: () -> [Element]) {
    let subscribers = state.withLock { Array($0.subscribers.values) }
    for subscriber in subscribers {
      for element in make() { subscriber.yield(.success(element)) }
    }
  }

  /// Ends all streams, including those that are made later.
  ///
  /// - Parameter failure: the error that the streams end with; nil if it was closed.
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

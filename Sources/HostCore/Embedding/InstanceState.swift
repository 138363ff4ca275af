import Synchronization

/// The part of an instance that an app sees: its frame, and its stream of outputs.
///
/// The session's thread writes it; all other threads read it.
final class InstanceState: Sendable {
  private let shown: Mutex<Frame>
  private let outputs = Broadcast<Instance.Output>()

  init(_ frame: Frame) { shown = Mutex(frame) }

  var frame: Frame { shown.withLock { $0 } }

  /// Returns a stream of the outputs that are published from now on.
  func subscribe() -> AsyncStream<Broadcast<Instance.Output>.Event> { outputs.subscribe() }

  /// Updates the frame with the states among some outputs.
  func show(_ outputs: [Instance.Output]) {
    shown.withLock { frame in
      for output in outputs {
        guard let index = frame.names.firstIndex(of: output.name) else { continue }
        frame.values[index] = output.bytes
      }
    }
  }

  /// Updates the frame, and then sends the outputs to the subscribers.
  func publish(_ outputs: [Instance.Output]) {
    show(outputs)
    self.outputs.send { outputs }
  }

  /// Ends all streams, including those that are made later.
  ///
  /// - Parameter failure: the error that the streams end with; nil if the instance was closed.
  func end(_ failure: HostError?) { outputs.end(failure) }
}

/// What the session's thread tells the app about an instance that it has opened.
struct OpenedInstance: Sendable {
  let viewModel: String
  let handle: String
  let number: Int32
  let state: InstanceState
}

import Synchronization

/// What an app sees of an instance: its frame, and what goes to its subscribers.
///
/// The session's thread writes it, all others read it.
final class InstanceState: Sendable {
  private let shown: Mutex<Frame>
  private let outputs = Broadcast<Instance.Output>()

  init(_ frame: Frame) { shown = Mutex(frame) }

  var frame: Frame { shown.withLock { $0 } }

  /// A stream of all that is published from now on.
  func subscribe() -> AsyncStream<Broadcast<Instance.Output>.Event> { outputs.subscribe() }

  /// Shows the new values of states among some outputs.
  func show(_ outputs: [Instance.Output]) {
    shown.withLock { frame in
      for output in outputs {
        guard let index = frame.names.firstIndex(of: output.name) else { continue }
        frame.values[index] = output.bytes
      }
    }
  }

  /// Shows the new values of states, and then tells of all outputs.
  func publish(_ outputs: [Instance.Output]) {
    show(outputs)
    self.outputs.send { outputs }
  }

  /// Ends all streams, those that are made later too.
  ///
  /// - Parameter failure: nil if the instance was closed.
  func end(_ failure: HostError?) { outputs.end(failure) }
}

/// An instance on its way to the app.
struct OpenedInstance: Sendable {
  let viewModel: String
  let handle: String
  let number: Int32
  let feed: InstanceState
}

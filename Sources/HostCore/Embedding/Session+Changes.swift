extension Session {
  /// An instance opened or closed.
  public enum Change: Sendable {
    /// - Parameter outputs: all of them, its first frame's too; `outputs()` of the instance would
    ///   come too late for some.
    case opened(Instance, outputs: Instance.Outputs)
    case closed(handle: String)
  }

  /// What opens and closes in a session with a flow, from the moment at which this was made, in
  /// order.
  ///
  /// It ends when the session is closed, and throws what ended the session otherwise. Like any
  /// sequence of one stream it is for one reader; each call of `changes()` makes another.
  public struct Changes: AsyncSequence, Sendable {
    public typealias Element = Change
    public typealias Failure = HostError

    let stream: AsyncStream<Broadcast<InstanceEvent>.Event>
    let session: Session

    public func makeAsyncIterator() -> Iterator {
      Iterator(base: stream.makeAsyncIterator(), session: session)
    }

    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<Broadcast<InstanceEvent>.Event>.Iterator
      let session: Session

      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(HostError) -> Change? {
        switch try await base.next(isolation: actor)?.get() {
        case .opened(let opened, let stream):
          .opened(Instance(opened, session: session), outputs: Instance.Outputs(stream: stream))
        case .closed(let handle): .closed(handle: handle)
        case nil: nil
        }
      }
    }
  }

  /// What opens and closes from now on, whether the app does it or the flow. A session without a
  /// flow tells nothing: there all of it is the app's own doing.
  public func changes() -> Changes { Changes(stream: state.changes.subscribe(), session: self) }

  /// Opens what the flow begins with: all of it, or nothing where something fails.
  ///
  /// What a signal of an earlier instance has led to is not opened again.
  public func openStart() async throws(HostError) -> [Instance] {
    let opened = try await perform { thread throws(HostError) in try thread.openStart() }
    return opened.map { Instance($0, session: self) }
  }
}

/// A change on its way to the app. It doesn't hold the session, which would else never end while
/// nobody reads.
enum InstanceEvent: Sendable {
  case opened(OpenedInstance, AsyncStream<Broadcast<Instance.Output>.Event>)
  case closed(handle: String)
}

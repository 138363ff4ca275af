extension Session {
  /// The opening or closing of an instance.
  public enum Change: Sendable {
    /// An instance was opened.
    ///
    /// - Parameter outputs: all outputs of the instance, including those of its first frame. A
    ///   call of the instance's `outputs()` would miss some.
    case opened(Instance, outputs: Instance.Outputs)
    /// An instance was closed.
    case closed(handle: String)
  }

  /// The instances that open and close in a session with a flow, in order, from the call of
  /// `changes()` on.
  ///
  /// The sequence ends when the session is closed. If an error ends the session, `next()` throws
  /// that error. A sequence is for one reader; call `changes()` again for another one.
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

      /// Waits for the next change.
      ///
      /// - Returns: the change; nil once the session is closed, or the task is cancelled.
      /// - Throws: the `HostError` that ended the session: `brokenPlugin` or `system`.
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

  /// Returns the changes from now on, those by the app as well as those by the flow. A session
  /// without a flow reports none, since only the app opens and closes instances there.
  public func changes() -> Changes { Changes(stream: state.changes.subscribe(), session: self) }

  /// Opens the instances that the flow starts with. If one of them fails, none stays open.
  ///
  /// An instance that a signal of an earlier one has already opened is not opened again.
  ///
  /// - Returns: the instances, in the order of the flow file.
  /// - Throws: a `HostError`:
  ///   - `invalid` if the session has no flow, or if a config names an unknown secret;
  ///   - `refused` if a plugin refuses a config;
  ///   - `closed` if the session is closed;
  ///   - `brokenPlugin` or `system` if that ends the session, or has ended it.
  public func openStart() async throws(HostError) -> [Instance] {
    let opened = try await perform { thread throws(HostError) in try thread.openStart() }
    return opened.map { Instance($0, session: self) }
  }
}

/// A change on its way to the app. It doesn't hold the session: otherwise a change that nobody
/// reads would keep the session alive.
enum InstanceEvent: Sendable {
  case opened(OpenedInstance, AsyncStream<Broadcast<Instance.Output>.Event>)
  case closed(handle: String)
}

import Synchronization

/// A plugin in this process whose library several sessions can use, each on its own thread.
///
/// The ABI forbids concurrent calls into one library, so the sessions take turns here.
package final class ExclusivePlugin: PluginConnection {
  package var manifest: PluginManifest { plugin.manifest }
  package var digest: String? { plugin.digest }
  package var recentLines: RecentLines { plugin.recentLines }
  package var slowSteps: SlowSteps { plugin.slowSteps }
  private let plugin: LocalPlugin
  private let turn: Turn

  /// Loads the library at `path`, as `LocalPlugin` does.
  package init(path: String, name: String, limits: StepLimits) throws(PluginLoadError) {
    let turn = Self.turn(for: path)
    plugin = try turn.take { () throws(PluginLoadError) in
      try LocalPlugin(path: path, name: name, limits: limits)
    }
    self.turn = turn
  }

  package func create(
    _ specification: InstanceSpecification, as number: Int32, after use: StepUse,
    into emissions: inout EventBatch
  ) {
    turn.take { plugin.create(specification, as: number, after: use, into: &emissions) }
  }

  package func deliver(
    _ events: borrowing EventBatch, from first: Int, after use: StepUse,
    into emissions: inout EventBatch
  ) -> Int {
    turn.take { plugin.deliver(events, from: first, after: use, into: &emissions) }
  }

  package func destroy(_ number: Int32, isLast: Bool, into emissions: inout EventBatch) {
    turn.take { plugin.destroy(number, isLast: isLast, into: &emissions) }
  }

  package func takeLeaks(into emissions: inout EventBatch) -> [Leak] {
    turn.take { plugin.takeLeaks(into: &emissions) }
  }

  // All sessions share this, because they share the libraries: the linker loads a file once for the
  // whole process.
  private static let turns = Mutex<[FileIdentity.File: Turn]>([:])

  /// The turn of a library. The key is the file itself, as for the linker, since a file may have
  /// several names.
  private static func turn(for path: String) -> Turn {
    // A path without a file can't be loaded, so its turn protects nothing.
    guard let file = try? FileIdentity(of: path).file else { return Turn() }
    return turns.withLock { turns in
      if let turn = turns[file] { return turn }
      let turn = Turn()
      turns[file] = turn
      return turn
    }
  }

  private final class Turn: Sendable {
    private let mutex = Mutex(())

    func take<Result, Failure: Error>(
      _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // The closure can't return the result, which would have to be sendable.
      var result: Result?
      try mutex.withLock { _ throws(Failure) in result = try body() }
      guard let result else { preconditionFailure("the body has returned") }
      return result
    }
  }
}

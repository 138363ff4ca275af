/// What an instance is made from; the session's side of `vm_create_info`.
package struct InstanceSpecification: Sendable {
  package var viewModel: String
  /// A JSON object, or empty.
  package var config: [UInt8] = []
  package var locale = "en_US"
  package var timeZone = "UTC"
  package var seed: UInt64 = 0
  /// The session's beginning, since 1970-01-01T00:00:00Z.
  package var epoch: Nanoseconds = 0
  /// Since the session's beginning.
  package var time: Nanoseconds = 0

  package init(viewModel: String) { self.viewModel = viewModel }
}

/// A loaded plugin, wherever it runs: all that a session knows of it.
///
/// The calls are few and carry batches, so that a plugin in another process costs an exchange a
/// batch and not one an event. What comes back is as the plugin gave it: the session checks it.
package protocol PluginConnection: AnyObject {
  var manifest: PluginManifest { get }
  /// The SHA-256 of the library as it was loaded, in hexadecimal; nil for one that was loaded
  /// from its file, which may have changed since.
  var digest: String? { get }
  /// What the plugin printed and logged last.
  var recentLines: RecentLines { get }

  /// Makes an instance that is `number` from now on, and polls it until it is idle.
  ///
  /// On refusal, `emissions` ends with a `refusal`, and there is no instance of this number.
  func create(
    _ specification: InstanceSpecification, as number: Int32, into emissions: inout EventBatch)

  /// Begins with what the next `deliver` is for, so that the host can do something else meanwhile.
  ///
  /// That must be the next call, with the same events. They are of one batch at a time.
  ///
  /// - Returns: false, and nothing has begun, if the plugin works only while the host waits.
  func begin(_ events: borrowing EventBatch, from first: Int) -> Bool

  /// Delivers events from the one at `first` on, each with a whole step: the event, then all that
  /// the plugin emits until it is idle.
  ///
  /// It stops early, after the first step in which the plugin asked, cancelled, refused or failed:
  /// what the next event is, then, is for the session to say. It may stop after any other step.
  ///
  /// - Returns: the index of the first event that was not delivered.
  func deliver(
    _ events: borrowing EventBatch, from first: Int, into emissions: inout EventBatch
  ) -> Int

  /// Ends an instance, in whatever state it is.
  ///
  /// If the plugin doesn't survive that, `emissions` ends with a `death`.
  func destroy(_ number: Int32, into emissions: inout EventBatch)
}

extension PluginConnection {
  package func begin(_ events: borrowing EventBatch, from first: Int) -> Bool { false }
}

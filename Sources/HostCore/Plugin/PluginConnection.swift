/// The arguments that create an instance, as in `vm_create_info`.
package struct InstanceSpecification: Sendable {
  package var viewModel: String
  /// A JSON object, or empty.
  package var config: [UInt8] = []
  package var locale = "en_US"
  package var timeZone = "UTC"
  package var seed: UInt64 = 0
  /// The start of the session, since 1970-01-01T00:00:00Z.
  package var epoch: Nanoseconds = 0
  /// The time since the start of the session.
  package var time: Nanoseconds = 0

  package init(viewModel: String) { self.viewModel = viewModel }
}

/// A loaded plugin as a session sees it, in this process or another.
///
/// The calls are few and carry batches, so that a plugin in another process costs one exchange for
/// each batch instead of one for each event. Emissions come as the plugin made them; the
/// session checks them. Among them are the lines that a plugin in a process of its own printed,
/// each before what else its step emitted.
package protocol PluginConnection: AnyObject {
  var manifest: PluginManifest { get }
  /// The SHA-256 of the loaded library, in hexadecimal. It is nil if the library was loaded
  /// from its file, which may have changed since.
  var digest: String? { get }
  /// The names of the layers of confinement that the plugin should run under and doesn't, since
  /// this machine lacks or forbids them.
  var missingLayers: [String] { get }
  /// Whether the plugin can't take this process with it when it crashes.
  var isIsolated: Bool { get }
  /// How much of the time of all calls was not the plugin's own, since the machine was busy with
  /// something else.
  var waitedTime: Nanoseconds { get }
  /// The last lines that the session has got from the plugin, printed or logged.
  var recentLines: RecentLines { get }

  /// Makes an instance with the given number, and polls it until it is idle.
  ///
  /// If the plugin refuses, `emissions` ends with a `refusal`, and there is no such instance.
  ///
  /// - Parameter use: what the session's step has used up before.
  func create(
    _ specification: InstanceSpecification, as number: Int32, after use: StepUse,
    into emissions: inout EventBatch)

  /// The steps of the session that took long.
  var slowSteps: SlowSteps { get }

  /// Returns how many of the instances that were closed since the last call live on. Call it while
  /// there are none.
  ///
  /// If the plugin doesn't survive this, `emissions` ends with a `death`.
  func takeLeaks(into emissions: inout EventBatch) -> [Leak]

  /// Starts a delivery in the background, so that the host can do something else meanwhile.
  ///
  /// The next call must be `deliver` with the same events.
  ///
  /// - Returns: false if the plugin works only while the host waits. Then nothing has started.
  func begin(_ events: borrowing EventBatch, from first: Int) -> Bool

  /// Delivers the events from index `first` on, one step each. A step is the event and all that the
  /// plugin emits until it is idle.
  ///
  /// It stops after the first step in which the plugin emitted a request or a cancel, refused or
  /// failed, so that the session can choose the next event. It may also stop after any other step.
  ///
  /// - Parameter use: what the session's step has used up before. If that is anything, there is
  ///   only one event.
  /// - Returns: the index of the first event that was not delivered.
  func deliver(
    _ events: borrowing EventBatch, from first: Int, after use: StepUse,
    into emissions: inout EventBatch
  ) -> Int

  /// Returns the lines that the plugin printed outside of the other calls, as while it was loaded.
  func takePrinted() -> [String]

  /// Loads the same library again, in a process of its own.
  ///
  /// - Returns: nil if the library is in this process, where it can't be loaded twice.
  func another() throws(PluginLoadError) -> (any PluginConnection)?

  /// Ends an instance in any state.
  ///
  /// If the plugin doesn't survive this, `emissions` ends with a `death`.
  ///
  /// - Parameter isLast: whether `takeLeaks` is the next call. A plugin in another process is then
  ///   asked for both at once.
  func destroy(_ number: Int32, isLast: Bool, into emissions: inout EventBatch)
}

extension PluginConnection {
  package var missingLayers: [String] { [] }
  package var isIsolated: Bool { false }
  package var waitedTime: Nanoseconds { 0 }

  /// Makes an instance, as the first thing in a step.
  package func create(
    _ specification: InstanceSpecification, as number: Int32, into emissions: inout EventBatch
  ) {
    create(specification, as: number, after: StepUse(), into: &emissions)
  }

  /// Delivers events, each as the first one of its step.
  package func deliver(
    _ events: borrowing EventBatch, from first: Int, into emissions: inout EventBatch
  ) -> Int {
    deliver(events, from: first, after: StepUse(), into: &emissions)
  }

  package func destroy(_ number: Int32, into emissions: inout EventBatch) {
    destroy(number, isLast: false, into: &emissions)
  }

  package func begin(_ events: borrowing EventBatch, from first: Int) -> Bool { false }

  package func takePrinted() -> [String] { [] }

  package func another() throws(PluginLoadError) -> (any PluginConnection)? { nil }

  package func takeLeaks(into emissions: inout EventBatch) -> [Leak] { [] }
}

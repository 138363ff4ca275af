/// A worker's process, as the host's end of the protocol sees it.
///
/// Releasing it ends the process.
package protocol WorkerProcess: AnyObject {
  /// The host's end of the worker's socket.
  var socketNumber: Int32 { get }
  /// The descriptors from which to read the plugin's prints.
  var printNumbers: [Int32] { get }
  /// The states of the layers that the host applies. The worker's own layers are pending.
  var report: ConfinementReport { get }

  /// Kills the process. Does nothing if it has ended.
  func kill()

  /// Waits for the process to end. Returns nil if it hasn't ended after `limit`.
  func end(within limit: Nanoseconds) -> ProcessEnd?

  /// Asks the process for a backtrace, if it has a backtracer. The process may go on afterwards.
  func requestBacktrace()

  /// Throws if the process contradicts a layer that `report` says is on, or can't be examined.
  func verify(
    _ confinement: Confinement, _ report: ConfinementReport,
    _ stage: ConfinementVerification.Stage
  ) throws(ConfinementError)
}

extension ConfinedProcess: WorkerProcess {
  package var socketNumber: Int32 { socket.number }
  package var printNumbers: [Int32] {
    switch errors {
    case let errors?: [output.number, errors.number]
    case nil: [output.number]
    }
  }

  package func verify(
    _ confinement: Confinement, _ report: ConfinementReport,
    _ stage: ConfinementVerification.Stage
  ) throws(ConfinementError) {
    try ConfinementVerification.verify(identifier, confinement, report, stage)
  }
}

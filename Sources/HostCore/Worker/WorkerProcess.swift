/// The process of a worker, as far as the host's end of its protocol deals with it.
///
/// Letting go of it ends the process.
package protocol WorkerProcess: AnyObject {
  /// The host's end of the worker's socket.
  var socketNumber: Int32 { get }
  /// Where what the plugin prints can be read.
  var printNumbers: [Int32] { get }
  /// What became of the layers that the host applies; the worker's own are pending.
  var report: ConfinementReport { get }

  /// Kills the process; nothing happens if it has ended.
  func kill()

  /// Waits for the process to end; nil if it hasn't after `limit`.
  func end(within limit: Nanoseconds) -> ProcessEnd?

  /// Has the process show where it is, if it has a backtracer; it may go on afterwards.
  func requestBacktrace()

  /// Throws if a layer that `report` says is on can be seen not to be.
  func verify(
    _ confinement: Confinement, _ report: ConfinementReport,
    _ stage: ConfinementVerification.Stage
  ) throws(ConfinementError)
}

extension ConfinedProcess: WorkerProcess {
  package var socketNumber: Int32 { socket.number }
  package var printNumbers: [Int32] { [output.number, errors.number] }

  package func verify(
    _ confinement: Confinement, _ report: ConfinementReport,
    _ stage: ConfinementVerification.Stage
  ) throws(ConfinementError) {
    try ConfinementVerification.verify(identifier, confinement, report, stage)
  }
}

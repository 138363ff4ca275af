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

  /// How long it and the calling thread have waited for a processor.
  func processorWait() -> ProcessorWait

  /// The paths of the files that it has mapped as code, and of the image that it may map.
  func codeFiles() throws(SystemError) -> Set<PathKey>
}

extension WorkerProcess {
  package func processorWait() -> ProcessorWait { ProcessorWait() }
}

extension ConfinedProcess: WorkerProcess {
  package func processorWait() -> ProcessorWait {
    ProcessorWait(
      worker: ProcessorWait.read("/proc/\(identifier)/schedstat"),
      host: ProcessorWait.read("/proc/thread-self/schedstat"))
  }

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
    try ConfinementVerification.verify(identifier, confinement, report, stage, host: host)
  }

  package func codeFiles() throws(SystemError) -> Set<PathKey> {
    let folder = "/proc/\(identifier)"
    var files: Set = [PathKey(try Files.target(ofLink: "\(folder)/fd/\(WorkerEntry.image)"))]
    let maps = try Files.read("\(folder)/maps", limit: Self.maxMaps)
    for line in maps.split(separator: UInt8(ascii: "\n")) {
      // "address rwxp offset device inode      path"
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6, fields[1].contains(UInt8(ascii: "x")) else { continue }
      let path = fields[5].drop { $0 == UInt8(ascii: " ") }
      if path.first == UInt8(ascii: "/") { files.insert(PathKey(PathText.text(path))) }
    }
    return files
  }

  /// The longest list of mappings. A plugin with Foundation has less than a hundredth.
  private static let maxMaps = 1 << 22
}

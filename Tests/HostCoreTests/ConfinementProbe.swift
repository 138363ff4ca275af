import Glibc
import HostCore
import TestSupport

/// The fixture didn't do its part.
struct ProbeError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A run of the `worker-probe` fixture as a worker: confined, checked, then trying one thing.
struct ConfinementProbe {
  var layers = Set<ConfinementLayer>.all
  /// Layers that the worker says are on, whatever it did.
  var claimed: Set<ConfinementLayer> = []
  /// 0: only what the host applies; 1: as while loading; 2: as once loaded.
  var stage = 2
  var isVerified = true
  /// The path of the library that becomes the image.
  var image: String?

  /// "done", the name of the `errno`, or how the process ended.
  func attempt(_ name: String, _ argument: String = "") throws -> String {
    let worker = try start(name, argument)
    var report = worker.report
    if stage >= 1 { try take(.beforeLoading, from: worker, &report) }
    if stage >= 2 { try take(.afterLoading, from: worker, &report) }
    if stage == 0 { try go(worker) }
    let output = try text(of: worker.output.number)
    let end = worker.finish(within: 60_000_000_000)
    return end == .exited(0) ? output : "\(end)"
  }

  func start(_ name: String, _ argument: String = "") throws -> ConfinedProcess {
    let probe = try BuildProducts.executable("worker-probe")
    var image = try SealedImage()
    try image.fill(from: try .openForReading(self.image ?? probe))
    let memory = try SharedMemory(count: 4096)
    let confinement = Confinement(layers: layers)
    let command = ConfinedProcess.Command(
      executable: probe,
      arguments: [
        "worker-probe", "try", confinement.arguments[0],
        Confinement(layers: claimed).arguments[0], "\(stage)", name, argument,
      ], layers: layers)
    return try ConfinedProcess(command, image: image, memory: memory)
  }

  /// Reads what the worker reports, checks it, and lets the worker go on.
  private func take(
    _ stage: ConfinementVerification.Stage, from worker: ConfinedProcess,
    _ report: inout ConfinementReport
  ) throws {
    report.adopt(try receiveReport(from: worker))
    if isVerified {
      // 256 MiB is what the fixture sets.
      let confinement = Confinement(layers: layers, memory: 256 << 20)
      try ConfinementVerification.verify(
        worker.identifier, confinement, report, stage, host: worker.host)
    }
    try go(worker)
  }

  func receiveReport(from worker: ConfinedProcess) throws -> ConfinementReport {
    var bytes: [UInt8] = []
    while bytes.count < ConfinementReport.encodedSize {
      let limit = ConfinementReport.encodedSize - bytes.count
      let count = try Descriptor.read(worker.socket.number, limit: limit, into: &bytes)
      guard let count, count > 0 else {
        throw ProbeError(
          "The worker ended without a report: \(worker.finish(within: 0)), "
            + "\(try text(of: worker.output.number))")
      }
    }
    guard let report = ConfinementReport(encoded: bytes.span) else {
      throw ProbeError("The worker sent no report: \(bytes)")
    }
    return report
  }

  func go(_ worker: ConfinedProcess) throws {
    try Descriptor.write(worker.socket.number, [UInt8(0)].span)
  }

  func text(of descriptor: Int32) throws -> String {
    var bytes: [UInt8] = []
    while try Descriptor.read(descriptor, limit: 4096, into: &bytes) != 0 {}
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Verifies from outside that a worker is confined as its report says.
///
/// Two layers leave no trace in `/proc`: the parent-death signal, which the host's own code sets
/// before the worker's code runs, and Landlock. Before loading, the worker runs only our program,
/// so its report on Landlock can be trusted. After loading it can't, and doesn't need to be.
package struct ConfinementVerification {
  package enum Stage: Sendable { case beforeLoading, afterLoading }

  private let folder: String
  private let report: ConfinementReport
  private let confinement: Confinement
  private let host: Result<HostConfinement, ConfinementError>
  private let stage: Stage

  /// Throws a `ConfinementError` if `/proc` contradicts a layer that `report` says is on, or can't
  /// be read.
  ///
  /// The process must not have been reaped, or its id may belong to another one by now.
  ///
  /// - Parameter host: how the host was confined when it started the process.
  package static func verify(
    _ process: Int32, _ confinement: Confinement, _ report: ConfinementReport, _ stage: Stage,
    host: Result<HostConfinement, ConfinementError>
  ) throws(ConfinementError) {
    let verification = ConfinementVerification(
      folder: "/proc/\(process)", report: report, confinement: confinement, host: host,
      stage: stage)
    try verification.verifyStatus()
    // The limit on descriptors relies on the others being closed.
    try verification.verifyDescriptors()
    try verification.verifyLimits()
    try verification.verifyNamespaces()
    try verification.verifyAddresses()
  }

  /// Throws if the report says that the layer is on, and `isTrue` is false.
  private func expect(
    _ layer: ConfinementLayer, _ expected: @autoclosure () -> String,
    found: @autoclosure () -> String, _ isTrue: Bool
  ) throws(ConfinementError) {
    guard report[layer] != .on || isTrue else {
      throw .contradicted(layer, expected: expected(), found: found())
    }
  }

  private func isOnInWorker(_ layer: ConfinementLayer) -> Bool {
    layer.isAppliedByWorker && report[layer] == .on
  }

  // MARK: /proc/PID/status

  private func verifyStatus() throws(ConfinementError) {
    let worker = try ProcFile(folder + "/status")
    // A worker confines itself before it could start a thread.
    let threads = worker.first("Threads:")
    guard threads == "1" || !ConfinementLayer.allCases.contains(where: { isOnInWorker($0) }) else {
      throw .severalThreads(threads)
    }
    let barred = worker.first("NoNewPrivs:")
    try expect(
      .privileges, "\"NoNewPrivs: 1\"", found: "\"NoNewPrivs: \(barred)\"", barred == "1")
    for name in ["CapPrm:", "CapEff:", "CapInh:", "CapAmb:"] {
      let set = worker.first(name)
      try expect(
        .privileges, "no capabilities", found: "\"\(name) \(set)\"",
        set.utf8.allSatisfy { $0 == UInt8(ascii: "0") })
    }
    let filters = [ConfinementLayer.seccompLoad, .seccompRun]
      .filter { report[$0] == .on && (stage == .afterLoading || $0 == .seccompLoad) }
    let mode = worker.first("Seccomp:")
    for layer in filters {
      try expect(layer, "\"Seccomp: 2\"", found: "\"Seccomp: \(mode)\"", mode == "2")
    }
    try verifyCount(of: filters, worker)
  }

  /// Verifies the number of filters. The host may run under filters too, such as a container's, and
  /// a worker inherits them. If the system doesn't report the number, only the mode is checked.
  private func verifyCount(
    of filters: [ConfinementLayer], _ worker: ProcFile
  ) throws(ConfinementError) {
    let name = HostConfinement.filtersName
    guard let layer = filters.last, let found = Int(worker.first(name)) else { return }
    let expected = (try host.get().filters ?? 0) + filters.count
    // A constructor may have added its own filters, which don't weaken ours.
    let isRight = stage == .beforeLoading ? found == expected : found >= expected
    try expect(
      layer, "\"\(name) \(expected)\"", found: "\"\(name) \(found)\"", isRight)
  }

  // MARK: /proc/PID/limits

  private func verifyLimits() throws(ConfinementError) {
    guard report[.limits] == .on else { return }
    let limits = try ProcFile(folder + "/limits")
    let isClosed = report[.descriptors] == .on
    let descriptors: UInt64 = stage == .afterLoading ? 6 : isClosed ? 16 : .max
    // A lower limit of the host stays in force for a worker, so these are upper bounds.
    var bounds: [(String, UInt64)] = [
      ("Max processes", 0), ("Max file size", 0), ("Max core file size", 1),
      ("Max open files", descriptors),
    ]
    if confinement.memory > 0 { bounds.append(("Max data size", confinement.memory)) }
    if confinement.memory > 0 { bounds.append(("Max address space", .max - 1)) }
    if confinement.cpuSeconds > 0 { bounds.append(("Max cpu time", confinement.cpuSeconds + 1)) }
    for (name, limit) in bounds {
      // This reads the hard limit, the second number, since the soft one can be raised to it.
      let values = limits.values(name)
      let found = values.count > 1 ? UInt64(values[1]) ?? .max : .max
      try expect(
        .limits, "\"\(name)\" is at most \(limit)",
        found: "\"\(values.prefix(2).joined(separator: " "))\"", found <= limit)
    }
  }

  // MARK: /proc/PID/ns, fd, personality

  private func verifyNamespaces() throws(ConfinementError) {
    guard report[.namespaces] == .on else { return }
    for name in HostConfinement.namespaceNames {
      let worker = try ProcFile.target(ofLink: folder + "/ns/" + name)
      let isOwn = worker != (try host.get().namespace(name))
      try expect(.namespaces, "its own \"\(name)\"", found: "the host's \(worker)", isOwn)
    }
  }

  private func verifyDescriptors() throws(ConfinementError) {
    guard report[.descriptors] == .on, stage == .beforeLoading else { return }
    let expected = [
      "0": "/dev/null", "1": "pipe:", "2": "pipe:", "3": "socket:", "4": "/", "5": "/memfd:",
    ]
    for name in try names(in: folder + "/fd") {
      let target = try ProcFile.target(ofLink: folder + "/fd/" + name)
      let isExpected = target.hasPrefix(expected[name] ?? "nothing")
      try expect(
        .descriptors, "only those that the host gave it", found: "\(name) is \(target)",
        isExpected)
    }
  }

  private func verifyAddresses() throws(ConfinementError) {
    guard report[.fixedAddresses] == .on else { return }
    let text = try ProcFile(folder + "/personality").first("")
    let withoutRandomization: UInt32 = 0x004_0000
    let isFixed = (UInt32(text, radix: 16) ?? 0) & withoutRandomization != 0
    try expect(.fixedAddresses, "personality 00040000", found: "\(text)", isFixed)
  }

  private func names(in path: String) throws(ConfinementError) -> [String] {
    do throws(SystemError) {
      return try Files.names(in: path)
    } catch {
      throw .unreadable(path, error)
    }
  }
}

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
  private let stage: Stage

  /// Throws a `ConfinementError` if `/proc` contradicts a layer that `report` says is on, or can't
  /// be read.
  ///
  /// The process must not have been reaped, or its id may belong to another one by now.
  package static func verify(
    _ process: Int32, _ confinement: Confinement, _ report: ConfinementReport, _ stage: Stage
  ) throws(ConfinementError) {
    let verification = ConfinementVerification(
      folder: "/proc/\(process)", report: report, confinement: confinement, stage: stage)
    try verification.verifyStatus()
    // The limit on descriptors relies on the others being closed.
    try verification.verifyDescriptors()
    try verification.verifyLimits()
    try verification.verifyNamespaces()
    try verification.verifyAddresses()
  }

  private func read(_ path: String) throws(ConfinementError) -> String {
    do throws(SystemError) {
      let bytes = try Files.read(path)
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      throw .unreadable(path, error)
    }
  }

  /// Throws if the report says that the layer is on, and `isTrue` is false.
  private func expect(
    _ layer: ConfinementLayer, _ expected: String, found: String, _ isTrue: Bool
  ) throws(ConfinementError) {
    guard report[layer] != .on || isTrue else {
      throw .contradicted(layer, expected: expected, found: found)
    }
  }

  private func isOnInWorker(_ layer: ConfinementLayer) -> Bool {
    layer.isAppliedByWorker && report[layer] == .on
  }

  // MARK: /proc/PID/status

  private func verifyStatus() throws(ConfinementError) {
    let worker = StatusFields(try read(folder + "/status"))
    // A worker confines itself before it could start a thread.
    let isSingle = worker["Threads"] == "1"
    guard isSingle || !ConfinementLayer.allCases.contains(where: { isOnInWorker($0) }) else {
      throw .severalThreads(worker["Threads"])
    }
    let isBarred = worker["NoNewPrivs"] == "1"
    try expect(
      .privileges, "\"NoNewPrivs: 1\"", found: "\"NoNewPrivs: \(worker["NoNewPrivs"])\"", isBarred)
    for set in ["CapPrm", "CapEff", "CapInh", "CapAmb"] {
      let isEmpty = worker[set].allSatisfy { $0 == "0" }
      try expect(.privileges, "no capabilities", found: "\"\(set): \(worker[set])\"", isEmpty)
    }
    let filters = [ConfinementLayer.seccompLoad, .seccompRun]
      .filter { report[$0] == .on && (stage == .afterLoading || $0 == .seccompLoad) }
    for layer in filters {
      try expect(
        layer, "\"Seccomp: 2\"", found: "\"Seccomp: \(worker["Seccomp"])\"",
        worker["Seccomp"] == "2")
    }
    try verifyCount(of: filters, worker)
  }

  /// Verifies the number of filters. The host may run under filters too, such as a container's, and
  /// a worker inherits them. Linux before 5.9 doesn't report the number, so only the mode is
  /// checked.
  private func verifyCount(
    of filters: [ConfinementLayer], _ worker: StatusFields
  ) throws(ConfinementError) {
    guard let layer = filters.last, let found = Int(worker["Seccomp_filters"]) else { return }
    let host = StatusFields(try read("/proc/self/status"))
    let expected = (Int(host["Seccomp_filters"]) ?? 0) + filters.count
    // A constructor may have added its own filters, which don't weaken ours.
    let isRight = stage == .beforeLoading ? found == expected : found >= expected
    try expect(
      layer, "\"Seccomp_filters: \(expected)\"", found: "\"Seccomp_filters: \(found)\"", isRight)
  }

  // MARK: /proc/PID/limits

  private func verifyLimits() throws(ConfinementError) {
    guard report[.limits] == .on else { return }
    let lines = try read(folder + "/limits").split(separator: "\n")
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
      let line = lines.first { $0.hasPrefix(name) } ?? ""
      // This reads the hard limit, the second number, since the soft one can be raised to it.
      let fields = line.dropFirst(name.count).split(separator: " ")
      let found = fields.count > 1 ? UInt64(fields[1]) ?? .max : .max
      try expect(
        .limits, "\"\(name)\" is at most \(limit)",
        found: "\"\(fields.prefix(2).joined(separator: " "))\"", found <= limit)
    }
  }

  // MARK: /proc/PID/ns, fd, personality

  private func verifyNamespaces() throws(ConfinementError) {
    guard report[.namespaces] == .on else { return }
    for name in ["user", "net", "ipc"] {
      let worker = try link(folder + "/ns/" + name)
      let isOwn = worker != (try link("/proc/self/ns/" + name))
      try expect(.namespaces, "its own \"\(name)\"", found: "the host's \(worker)", isOwn)
    }
  }

  private func verifyDescriptors() throws(ConfinementError) {
    guard report[.descriptors] == .on, stage == .beforeLoading else { return }
    let expected = [
      "0": "/dev/null", "1": "pipe:", "2": "pipe:", "3": "socket:", "4": "/", "5": "/memfd:",
    ]
    for name in try names(in: folder + "/fd") {
      let target = try link(folder + "/fd/" + name)
      let isExpected = target.hasPrefix(expected[name] ?? "nothing")
      try expect(
        .descriptors, "only those that the host gave it", found: "\(name) is \(target)",
        isExpected)
    }
  }

  private func verifyAddresses() throws(ConfinementError) {
    guard report[.fixedAddresses] == .on else { return }
    let text = try read(folder + "/personality").prefix { $0 != "\n" }
    let withoutRandomization: UInt32 = 0x004_0000
    let isFixed = (UInt32(text, radix: 16) ?? 0) & withoutRandomization != 0
    try expect(.fixedAddresses, "personality 00040000", found: "\(text)", isFixed)
  }

  private func link(_ path: String) throws(ConfinementError) -> String {
    do throws(SystemError) {
      return try Files.target(ofLink: path)
    } catch {
      throw .unreadable(path, error)
    }
  }

  private func names(in path: String) throws(ConfinementError) -> [String] {
    do throws(SystemError) {
      return try Files.names(in: path)
    } catch {
      throw .unreadable(path, error)
    }
  }
}

/// The "Name: value" lines of a `status` file. A missing field is empty.
private struct StatusFields {
  private let lines: [Substring.UTF8View]

  // This splits bytes, because every start of a plugin waits for it and needs few of 60 lines.
  init(_ text: String) { lines = text.utf8.split(separator: UInt8(ascii: "\n")) }

  subscript(name: String) -> String {
    let start = Array("\(name):".utf8)
    guard let line = lines.first(where: { $0.starts(with: start) }) else { return "" }
    let value = line.dropFirst(start.count).drop { $0 == 0x09 || $0 == 0x20 }
    return String(Substring(value))
  }
}

/// A look from outside at a worker, to see whether it is confined as its report says.
///
/// Two layers leave no trace in `/proc`: the parent-death signal, which the host's own code sets
/// before the worker's runs, and Landlock. Before loading, the worker is still nothing but our
/// program, so that its word on Landlock counts; after loading it doesn't, and need not.
package struct ConfinementVerification {
  package enum Stage: Sendable { case beforeLoading, afterLoading }

  private let folder: String
  private let report: ConfinementReport
  private let confinement: Confinement
  private let stage: Stage

  /// Throws if a layer that `report` says is on can be seen not to be.
  ///
  /// The process must not have been reaped, or its id may mean another by now.
  package static func verify(
    _ process: Int32, _ confinement: Confinement, _ report: ConfinementReport, _ stage: Stage
  ) throws(ConfinementError) {
    let verification = ConfinementVerification(
      folder: "/proc/\(process)", report: report, confinement: confinement, stage: stage)
    try verification.verifyStatus()
    // The limit of descriptors counts on the others being closed.
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

  /// Throws if the layer is said to be on, and `isTrue` isn't.
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
    // A worker that confines itself does so before it could start a thread.
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

  /// The host may itself run under filters, a container's say, which a worker inherits. Linux
  /// before 5.9 doesn't count them, which leaves the mode.
  private func verifyCount(
    of filters: [ConfinementLayer], _ worker: StatusFields
  ) throws(ConfinementError) {
    guard let layer = filters.last, let found = Int(worker["Seccomp_filters"]) else { return }
    let host = StatusFields(try read("/proc/self/status"))
    let expected = (Int(host["Seccomp_filters"]) ?? 0) + filters.count
    // A constructor may have added filters of its own, which take nothing away from ours.
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
    // What the host allows itself isn't raised by confining a worker.
    var greatest: [(String, UInt64)] = [
      ("Max processes", 0), ("Max file size", 0), ("Max core file size", 1),
      ("Max open files", descriptors),
    ]
    if confinement.memory > 0 { greatest.append(("Max data size", confinement.memory)) }
    if confinement.memory > 0 { greatest.append(("Max address space", .max - 1)) }
    if confinement.cpuSeconds > 0 { greatest.append(("Max cpu time", confinement.cpuSeconds + 1)) }
    for (name, limit) in greatest {
      let line = lines.first { $0.hasPrefix(name) } ?? ""
      // The hard limit, which is the second figure: the soft one can be raised to it.
      let words = line.dropFirst(name.count).split(separator: " ")
      let found = words.count > 1 ? UInt64(words[1]) ?? .max : .max
      try expect(
        .limits, "\"\(name)\" is at most \(limit)",
        found: "\"\(words.prefix(2).joined(separator: " "))\"", found <= limit)
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

/// The "Name: value" lines of a `status` file; a field that isn't there is empty.
private struct StatusFields {
  private let lines: [Substring.UTF8View]

  // By bytes, because every start of a plugin waits for this, and few of 60 lines are asked for.
  init(_ text: String) { lines = text.utf8.split(separator: UInt8(ascii: "\n")) }

  subscript(name: String) -> String {
    let start = Array("\(name):".utf8)
    guard let line = lines.first(where: { $0.starts(with: start) }) else { return "" }
    let value = line.dropFirst(start.count).drop { $0 == 0x09 || $0 == 0x20 }
    return String(Substring(value))
  }
}

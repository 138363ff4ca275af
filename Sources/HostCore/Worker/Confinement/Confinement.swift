import HostShims

/// How a worker is confined: its layers, and how much it may use.
///
/// The host tells the worker, and checks from outside that it is in force.
package struct Confinement: Equatable, Sendable {
  /// The wanted layers. Those that this machine doesn't have are left out and reported.
  package var layers: Set<ConfinementLayer>
  /// The bytes that the plugin may allocate; 0 for no limit.
  package var memory: UInt64
  /// The seconds of CPU time that the worker may use in total. It is a backstop, for a worker that
  /// hangs when nobody is left to notice.
  package var cpuSeconds: UInt64
  /// The absolute paths of libraries, or of folders of libraries, that the plugin may load besides
  /// those of the system.
  package var readable: [String]

  package static let defaultMemory: UInt64 = 1 << 30
  /// The smallest memory that the plugin's runtime fits into.
  package static let minMemory: UInt64 = 16 << 20
  package static let defaultCPUSeconds: UInt64 = 3600

  package init(
    layers: Set<ConfinementLayer> = .all, memory: UInt64 = defaultMemory,
    cpuSeconds: UInt64 = defaultCPUSeconds, readable: [String] = []
  ) {
    self.layers = layers
    self.memory = host_is_sanitized() != 0 ? 0 : memory
    self.cpuSeconds = cpuSeconds
    self.readable = readable
  }

  /// The confinement as texts: layers, memory, CPU seconds, then readable paths.
  package var arguments: [String] {
    [String(layers.mask, radix: 16), String(memory), String(cpuSeconds)] + readable
  }

  /// Parses `arguments`. Returns nil if they have another form.
  package init?(arguments: [String]) {
    guard arguments.count >= 3, let mask = UInt32(arguments[0], radix: 16),
      let memory = UInt64(arguments[1]), let cpuSeconds = UInt64(arguments[2])
    else { return nil }
    self.init(
      layers: Set(mask: mask), memory: memory, cpuSeconds: cpuSeconds,
      readable: Array(arguments[3...]))
  }

  /// The confinement as the payload of a message.
  package var encoded: [UInt8] {
    arguments.reduce(into: []) { bytes, argument in
      ByteWriter.append(text: argument, to: &bytes)
    }
  }

  /// Parses the payload of a message. Returns nil if it has another form.
  package init?(encoded bytes: Span<UInt8>) {
    var reader = ByteReader()
    var arguments: [String] = []
    while !reader.isAtEnd(of: bytes) {
      guard let argument = reader.readText(bytes, limit: bytes.count) else { return nil }
      arguments.append(argument)
    }
    self.init(arguments: arguments)
  }

  /// Confines this process before it loads a plugin. The process must have one thread. There is no
  /// way back.
  package func applyBeforeLoading() -> ConfinementReport {
    unsafe apply(to: ConfinementReport()) { unsafe host_confine_stage1($0, $1) }
  }

  /// Confines this process further after the plugin is loaded. From now on it can't open files or
  /// make memory executable.
  ///
  /// - Parameter report: the result of `applyBeforeLoading`.
  package func applyAfterLoading(_ report: ConfinementReport) -> ConfinementReport {
    unsafe apply(to: report) { unsafe host_confine_stage2($0, $1) }
  }

  private func apply(
    to report: ConfinementReport,
    _ stage: (UnsafePointer<host_confinement>, UnsafeMutablePointer<host_layer_result>) -> Void
  ) -> ConfinementReport {
    var results = report.results
    unsafe CStrings.withPointers(to: readable) { folders in
      let folders = unsafe UnsafeRawPointer(folders).assumingMemoryBound(
        to: UnsafePointer<CChar>?.self)
      var confinement = unsafe host_confinement(
        layers: layers.mask, limits: host_limits(memory: memory, cpu_seconds: cpuSeconds),
        readable: folders)
      unsafe stage(&confinement, &results)
    }
    return ConfinementReport(results)
  }

  /// Tries every layer in a child process that ends at once.
  ///
  /// - Throws: `SystemError` if there can't be a child process.
  package static func probe() throws(SystemError) -> ConfinementReport {
    var results = ConfinementReport().results
    let failure = unsafe host_probe_layers(&results)
    guard failure == 0 else { throw SystemError("clone", number: failure) }
    return ConfinementReport(results)
  }
}

extension ConfinementReport {
  /// The report in C's form.
  var results: [host_layer_result] {
    ConfinementLayer.allCases.map { layer in
      let (state, error): (Int, Int32) =
        switch self[layer] {
        case .pending: (HOST_LAYER_UNTRIED, 0)
        case .on: (HOST_LAYER_ON, 0)
        case .off: (HOST_LAYER_OFF, 0)
        case .unavailable(let number): (HOST_LAYER_REFUSED, number)
        }
      return host_layer_result(state: UInt32(state), error: error, detail: detail(of: layer))
    }
  }
}

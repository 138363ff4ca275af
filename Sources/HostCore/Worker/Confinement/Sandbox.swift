/// How to confine plugins, and what to do where that isn't possible.
package struct Sandbox: Sendable {
  package let mode: SandboxMode
  /// How to confine workers. A variation leaves addresses random, which weakens no protection.
  package var confinement: Confinement {
    guard variation > 0 else { return usualConfinement }
    var varied = usualConfinement
    varied.layers.remove(.fixedAddresses)
    return varied
  }
  private let usualConfinement: Confinement
  /// The path of the vmhost that becomes the worker, by default the running program.
  package let worker: String
  /// The folder of the program that becomes the worker, or nil if that is the running program.
  package var workerFolder: String? {
    guard worker != ConfinedProcess.Command.sameProgram else { return nil }
    // Its providers lie beside the program itself, not beside a link to it.
    return Files.folder(of: (try? Files.absolute(worker)) ?? worker)
  }
  /// The installation of the program that becomes the worker.
  var installation: Installation {
    worker == ConfinedProcess.Command.sameProgram ? .own : Installation(program: worker)
  }
  /// Shows where the plugin crashes; nil except in a replay.
  let backtracer: Backtracer?
  /// Is told which layers workers lack.
  package var missing: MissingLayers?
  /// 0 for workers that are all alike. With any other number, the order of sets and the addresses
  /// of memory differ between workers. A second run then shows whether a plugin depends on them.
  package var variation = 0
  /// Whether the host and a worker may wait for each other without sleeping, for a few
  /// microseconds. It is faster where each has a processor, and slower where others need them.
  package var waitsAwake = true
  /// A worker that has been started already, for the first plugin.
  package var standby: StandbyWorker?
  /// Whether threads are refused without confinement too, as in the replay of a confined plugin.
  var refusesThreads = false

  /// - Parameters:
  ///   - layers: the layers to apply, or nil for those of the mode.
  ///   - memory: the bytes that a plugin may allocate.
  package init(
    _ mode: SandboxMode = .bestEffort, layers: Set<ConfinementLayer>? = nil,
    memory: UInt64 = Confinement.defaultMemory,
    worker: String = ConfinedProcess.Command.sameProgram, backtracer: Backtracer? = nil
  ) {
    self.mode = mode
    self.worker = worker
    self.backtracer = backtracer
    usualConfinement = Confinement(layers: layers ?? mode.layers, memory: memory)
  }
}

/// How plugins are to be confined, and what is to happen where that isn't possible.
package struct Sandbox: Sendable {
  package let mode: SandboxMode
  /// How workers are confined. A variation leaves the addresses to the system's chance, which keeps
  /// nobody from anything.
  package var confinement: Confinement {
    guard variation > 0 else { return usualConfinement }
    var varied = usualConfinement
    varied.layers.remove(.fixedAddresses)
    return varied
  }
  private let usualConfinement: Confinement
  /// The vmhost that becomes the worker: a path, by default this very program.
  package let worker: String
  /// The folder of the program that becomes the worker; nil if that is this very program.
  package var workerFolder: String? {
    worker == ConfinedProcess.Command.sameProgram ? nil : Files.folder(of: worker)
  }
  /// What shows where the plugin crashes; nil except in a replay.
  let backtracer: Backtracer?
  /// 0 for workers that are all alike. Any other number has what no plugin should depend on differ
  /// from worker to worker, the order of sets and where memory lies, so that another run shows
  /// whether one does.
  package var variation = 0

  /// - Parameters:
  ///   - layers: the layers to apply; nil for those of the mode.
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

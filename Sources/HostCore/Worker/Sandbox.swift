/// How plugins are to be confined, and what is to happen where that isn't possible.
package struct Sandbox: Sendable {
  package let mode: SandboxMode
  package let confinement: Confinement
  /// The vmhost that becomes the worker: a path, by default this very program.
  package let worker: String
  /// What shows where the plugin crashes; nil except in a replay.
  let backtracer: Backtracer?

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
    confinement = Confinement(layers: layers ?? mode.layers, memory: memory)
  }
}

/// How plugins are to be confined, and what is to happen where that isn't possible.
package struct Sandbox: Sendable {
  package let mode: SandboxMode
  package let confinement: Confinement

  /// - Parameter memory: the bytes that a plugin may allocate.
  package init(_ mode: SandboxMode = .bestEffort, memory: UInt64 = Confinement.defaultMemory) {
    self.mode = mode
    confinement = Confinement(layers: mode.layers, memory: memory)
  }
}

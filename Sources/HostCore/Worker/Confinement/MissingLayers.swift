import Synchronization

/// Collects the layers of confinement that workers lack, and tells of them once.
package final class MissingLayers: Sendable {
  private let layers = Mutex<Set<ConfinementLayer>>([])
  private let tell: @Sendable ([ConfinementLayer]) -> Void

  /// - Parameter tell: gets the missing layers of the first worker that lacks some. It may be
  ///   called on any thread.
  package init(tell: @escaping @Sendable ([ConfinementLayer]) -> Void) { self.tell = tell }

  /// The names of all layers that were missing so far, in the order of the layers.
  package var names: [String] {
    let layers = layers.withLock { $0 }
    return ConfinementLayer.allCases.filter(layers.contains).map(\.rawValue)
  }

  func add(_ missing: [ConfinementLayer]) {
    guard !missing.isEmpty else { return }
    let isFirst = layers.withLock { layers in
      defer { layers.formUnion(missing) }
      return layers.isEmpty
    }
    if isFirst { tell(missing) }
  }
}

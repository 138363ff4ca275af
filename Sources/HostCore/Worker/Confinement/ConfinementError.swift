/// Why a worker isn't confined as it should be.
package enum ConfinementError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The worker says that a layer is on, and `/proc` says otherwise.
  case contradicted(ConfinementLayer, expected: String, found: String)
  /// The worker says that a layer isn't on, which was on before or can't fail where it is wanted:
  /// the plugin, which is loaded by now, may have said so in the worker's place.
  case lost(ConfinementLayer, String)
  /// The worker has more than one thread, and a filter holds for one only.
  case severalThreads(String)
  /// `--sandbox=strict`, and these layers aren't on: each with the reason.
  case incomplete([String])
  /// The worker can't be looked at.
  case unreadable(String, SystemError)

  package var description: String {
    switch self {
    case .contradicted(let layer, let expected, let found):
      "Could not confirm that the worker is confined: it says that \"\(layer.rawValue)\" is on, "
        + "which means \(expected), but /proc says \(found). The plugin was not trusted further."
    case .lost(let layer, let state):
      "Could not confirm that the worker is confined: it says that \"\(layer.rawValue)\" is "
        + "\(state), which can't be. The plugin was not trusted further."
    case .severalThreads(let count):
      "Could not confirm that the worker is confined: it has \(count) threads instead of one. "
        + "The plugin was not trusted further."
    case .incomplete(let layers):
      "Could not confine the worker as --sandbox=strict asks: \(layers.joined(separator: "; ")). "
        + "\"vmhost doctor\" says what to do about it; --sandbox=best-effort goes on without."
    case .unreadable(let path, let error):
      "Could not confirm that the worker is confined: could not read \(path): \(error.reason)."
    }
  }
}

extension ConfinementReport {
  /// Throws if loading the plugin has taken a layer away, as it seems.
  ///
  /// - Parameters:
  ///   - earlier: the report before loading.
  ///   - wanted: the layers that were asked for.
  func requireNoLess(
    than earlier: ConfinementReport, wanted: Set<ConfinementLayer>
  ) throws(ConfinementError) {
    for layer in ConfinementLayer.allCases where self[layer] != .on {
      // The second filter is made as the first one is: a system that has that has this.
      let isExpected =
        layer == .seccompRun
        ? wanted.contains(layer) && earlier[.seccompLoad] == .on : earlier[layer] == .on
      if isExpected { throw .lost(layer, text(for: layer)) }
    }
  }

  /// Throws unless every layer is on that has been tried so far.
  ///
  /// - Parameters:
  ///   - stage: before loading, the layer that follows loading isn't asked for.
  ///   - wanted: the layers that it is about.
  package func requireAll(
    _ stage: ConfinementVerification.Stage, of wanted: Set<ConfinementLayer> = .all
  ) throws(ConfinementError) {
    let lacking = missing.filter {
      wanted.contains($0) && ($0 != .seccompRun || stage == .afterLoading)
    }
    guard lacking.isEmpty else {
      throw .incomplete(lacking.map { "\"\($0.rawValue)\" is \(text(for: $0))" })
    }
  }
}

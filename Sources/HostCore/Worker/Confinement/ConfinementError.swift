/// The reason why a worker isn't confined as it should be.
package enum ConfinementError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The worker says that a layer is on, and `/proc` says otherwise.
  case contradicted(ConfinementLayer, expected: String, found: String)
  /// The worker says that a layer isn't on, although it was on before or can't fail. The loaded
  /// plugin may have forged the report.
  case lost(ConfinementLayer, String)
  /// The worker has more than one thread, and a filter covers only one.
  case severalThreads(String)
  /// A mode demands these layers, and they aren't on. Each has its reason.
  case incomplete(SandboxMode, [String])
  /// The worker can't be examined.
  case unreadable(String, SystemError)

  package var description: String {
    switch self {
    case .contradicted(let layer, let expected, let found):
      "Could not confirm that the worker is confined: it says that \"\(layer.rawValue)\" is on, "
        + "which means \(expected), but /proc says \(found). The plugin was not trusted further."
    case .lost(let layer, let state):
      "Could not confirm that the worker is confined: it says that \"\(layer.rawValue)\" is "
        + "\(state), which is impossible. The plugin was not trusted further."
    case .severalThreads(let count):
      "Could not confirm that the worker is confined: it has \(count) threads instead of one. "
        + "The plugin was not trusted further."
    case .incomplete(let mode, let layers):
      "Could not confine the worker as \"\(mode.rawValue)\" demands: "
        + "\(layers.joined(separator: "; ")). \"vmhost doctor\" says what to do about it."
    case .unreadable(let path, let error):
      "Could not confirm that the worker is confined: could not read \(path): \(error.reason)."
    }
  }
}

extension ConfinementReport {
  /// Throws if a layer seems to be lost since the plugin was loaded.
  ///
  /// - Parameters:
  ///   - earlier: the report before loading.
  ///   - wanted: the layers that were asked for.
  func requireNoLess(
    than earlier: ConfinementReport, wanted: Set<ConfinementLayer>
  ) throws(ConfinementError) {
    for layer in ConfinementLayer.allCases where self[layer] != .on {
      // A system that accepts the first filter also accepts the second.
      let isExpected =
        layer == .seccompRun
        ? wanted.contains(layer) && earlier[.seccompLoad] == .on : earlier[layer] == .on
      if isExpected { throw .lost(layer, text(for: layer)) }
    }
  }

  /// Throws unless every layer that a mode demands, and that has been tried so far, is on.
  ///
  /// - Parameter stage: before loading, the layer that is applied after loading isn't required.
  package func require(
    _ mode: SandboxMode, _ stage: ConfinementVerification.Stage
  ) throws(ConfinementError) {
    let lacking = missing(of: mode.demanded).filter {
      $0 != .seccompRun || stage == .afterLoading
    }
    guard lacking.isEmpty else {
      throw .incomplete(mode, lacking.map { "\"\($0.rawValue)\" is \(text(for: $0))" })
    }
  }
}

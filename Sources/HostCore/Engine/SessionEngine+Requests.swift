// Messages about requests that are answered from outside.
extension SessionEngine {
  /// The maximum number of open requests that a message lists. It only counts the others.
  private static let maxNamed = 5

  /// The error for an answer to a request that isn't open. It names those that are.
  func notOpen(_ instance: SessionInstance, _ shownID: UInt64) -> SessionError {
    let (first, last) = (instance.firstShownID, instance.lastShownID)
    let isEarlier = shownID > 0 && shownID < first
    let isCancelled = instance.hasCancelled(shownID)
    let reason =
      if isEarlier {
        instance.isReplayed
          ? "the session has gone to another step or was reloaded since that request"
          : "that request belonged to an earlier \(instance.handle), which is closed"
      } else if last < first {
        "it has made none"
      } else if shownID == 0 || shownID > last {
        first > 1 ? "its last one so far is \(last)" : "it has made \(last) so far"
      } else if isCancelled {
        "it cancelled that request"
      } else {
        "that request is already answered"
      }
    return SessionError(
      .mistake(.unknownRequest),
      "\(instance.handle) has no open request \(shownID): \(reason).\(listOfOpenRequests)",
      isRace: isEarlier || isCancelled)
  }

  private var listOfOpenRequests: String {
    let open = openRequests
    guard !open.isEmpty else {
      return instances.allSatisfy { $0.lastShownID < $0.firstShownID } ? "" : " None is open."
    }
    let names = open.prefix(Self.maxNamed).map { handle, id, effect in
      instances.count > 1 ? "\(handle).\(id) \(effect)" : "\(id) \(effect)"
    }
    let others = open.count - names.count
    let rest = others > 0 ? " and \(others) more" : ""
    return " Open: \(names.joined(separator: ", "))\(rest)."
  }
}

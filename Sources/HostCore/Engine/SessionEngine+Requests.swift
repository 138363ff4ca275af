// Messages about requests that are answered from outside.
extension SessionEngine {
  /// The maximum number of open requests that a message lists. It only counts the others.
  private static let maxNamed = 5

  /// Says why a request can't be answered, and which requests are open.
  func notOpen(_ instance: SessionInstance, _ shownID: UInt64) -> String {
    let last = instance.lastShownID
    let reason =
      if last == 0 {
        "it has made none"
      } else if shownID == 0 || shownID > last {
        "it has made \(last) so far"
      } else if instance.cancelledRequests.contains(shownID) {
        "it cancelled that one"
      } else {
        "that one is answered already"
      }
    let sentence = "\(instance.handle) has no open request \(shownID): \(reason)."
    let open = openRequests
    guard !open.isEmpty else { return last == 0 ? sentence : "\(sentence) None is open." }
    let names = open.prefix(Self.maxNamed).map { handle, id, effect in
      instances.count > 1 ? "\(handle).\(id) \(effect)" : "\(id) \(effect)"
    }
    let others = open.count - names.count
    let rest = others > 0 ? " and \(others) more" : ""
    return "\(sentence) Open: \(names.joined(separator: ", "))\(rest)."
  }
}

// Requests that wait for a line although they have a provider.
extension SessionDriver {
  /// The effects that have a provider.
  package var provided: [String] { providers.keys.sorted() }

  /// Has the requests of an effect wait from now on, or no longer. Those that wait already go on
  /// waiting.
  package func hold(_ effect: String, _ isHeld: Bool) {
    if isHeld { held.insert(effect) } else { held.remove(effect) }
  }

  /// Has the requests of all effects that have a provider wait from now on.
  package func holdAll() { held.formUnion(providers.keys) }

  /// Whether the provider of a request works on the answer.
  func isAsked(_ shownID: UInt64, of instance: SessionInstance) -> Bool {
    waiting.contains(shownID, of: instance.number)
  }

  /// Passes an open request to its provider, as if it came now.
  func ask(_ shownID: UInt64, of instance: SessionInstance, _ effect: String, value: [UInt8]) {
    guard let provider = providers[effect] else { return }
    provider.send(id: waiting.add(shownID, of: instance, effect), value: value.span)
  }
}

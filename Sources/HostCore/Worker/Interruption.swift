/// How somebody can end the wait for a plugin: a signal, or a key.
package struct Interruption {
  /// What is ready when there may be one; whoever looks takes away what made it ready.
  let interests: () -> [Descriptor.Interest]
  /// Looks whether there is one.
  let hasCome: () -> Bool

  package init(interests: @escaping () -> [Descriptor.Interest], hasCome: @escaping () -> Bool) {
    self.interests = interests
    self.hasCome = hasCome
  }

  /// A step that is nearly done may still come to its end.
  static let grace: Nanoseconds = 200_000_000
}

/// A way for the user to end the wait for a plugin, such as a signal or a key.
package struct Interruption {
  /// The descriptors that are ready when there may be an interruption. `hasCome` consumes what made
  /// them ready.
  let interests: () -> [Descriptor.Interest]
  /// Checks whether there is an interruption.
  let hasCome: () -> Bool

  package init(interests: @escaping () -> [Descriptor.Interest], hasCome: @escaping () -> Bool) {
    self.interests = interests
    self.hasCome = hasCome
  }

  /// The time for a step that is nearly done to finish.
  static let grace: Nanoseconds = 200_000_000
}

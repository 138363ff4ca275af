/// A generator whose numbers depend only on its seed: SplitMix64, by Sebastiano Vigna.
package struct SplitMix64: RandomNumberGenerator {
  @usableFromInline var state: UInt64

  @inlinable package init(seed: UInt64) { state = seed }

  /// Makes a generator in the state of one with this seed that has made `count` numbers.
  @inlinable package init(seed: UInt64, skipping count: UInt64) {
    state = seed &+ count &* Self.increment
  }

  @inlinable static var increment: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  @inlinable package mutating func next() -> UInt64 {
    state &+= Self.increment
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

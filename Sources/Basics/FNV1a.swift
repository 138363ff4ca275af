/// The 64-bit FNV-1a hash. Unlike Swift's own, it is the same in every process.
package struct FNV1a {
  @usableFromInline var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  @inlinable package init() {}

  @inlinable package var value: UInt64 { hash }

  /// Adds a byte. A wider word is fine where no other program has to compute the same hash.
  @inlinable package mutating func combine(_ unit: some UnsignedInteger) {
    hash = (hash ^ UInt64(truncatingIfNeeded: unit)) &* 0x100_0000_01B3
  }
}

import Basics

/// A generator whose numbers depend only on its seed (SplitMix64).
///
/// A class, so that all references share one sequence.
public final class SeededRandom: RandomNumberGenerator {
  private var generator: SplitMix64

  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  public func next() -> UInt64 { generator.next() }
}

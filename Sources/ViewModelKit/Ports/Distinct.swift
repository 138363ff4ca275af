/// Tells a value that is new from one that is the same again: `var queries = Distinct<String>()`.
///
/// For a state, `State(first, .distinct)` does it; this is for inputs and signals.
public struct Distinct<Value: Equatable> {
  /// What was accepted last, if anything was.
  public private(set) var last: Value?

  public init() {}

  /// Whether the value differs from the last one that was accepted. If so, it is the last one now.
  public mutating func accepts(_ value: Value) -> Bool {
    guard last != .some(value) else { return false }
    last = value
    return true
  }

  /// Forgets the last value, so that any is accepted next.
  public mutating func reset() { last = nil }
}

extension Distinct: Sendable where Value: Sendable {}

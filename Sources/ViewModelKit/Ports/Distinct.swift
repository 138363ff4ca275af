/// Tells a value that is new from one that is the same again: `var queries = Distinct<String>()`.
///
/// `State(first, .distinct)` and `Signal(.distinct)` have one of their own; this is for inputs, and
/// for whatever else a view model compares. Values are compared by `==`, by which two strings of
/// other bytes may be equal, such as those of an é in one or in two code points.
public struct Distinct<Value: Equatable> {
  /// What was accepted last, if anything was.
  public private(set) var last: Value?

  /// Accepts any value first.
  public init() {}

  /// Accepts first what differs from `last`.
  public init(_ last: Value) { self.last = .some(last) }

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

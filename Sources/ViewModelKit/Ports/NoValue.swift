/// The value of a port that has none: `Input<NoValue>()`, `Signal<NoValue>()`.
public struct NoValue: Codable, Hashable, Sendable {
  public init() {}
}

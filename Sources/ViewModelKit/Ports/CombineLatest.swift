/// The latest values of two inputs, together: `CombineLatest(refresh, period).on { … }`.
///
/// Make it in `start`. It says nothing until both inputs have come; then each value of either is
/// told with the latest of the other.
@ViewModelActor
public final class CombineLatest<
  First: Codable & Sendable, Second: Codable & Sendable
> {
  private let inputs: (Input<First>, Input<Second>)
  // A value may itself be nil, where the input takes null.
  private var first: First?
  private var second: Second?

  public init(_ first: Input<First>, _ second: Input<Second>) {
    inputs = (first, second)
    first.on { self.first = $0 }
    second.on { self.second = $0 }
  }

  /// The latest values; nil until both inputs have come.
  public var latest: (First, Second)? {
    guard let first, let second else { return nil }
    return (first, second)
  }

  /// Adds a handler to both inputs, after those that they have. What it throws becomes a fault that
  /// names the input that came.
  public func on(_ handler: @escaping @ViewModelActor (First, Second) throws -> Void) {
    let handleLatest: @ViewModelActor () throws -> Void = {
      if let (first, second) = self.latest { try handler(first, second) }
    }
    inputs.0.on { (_: First) in try handleLatest() }
    inputs.1.on { (_: Second) in try handleLatest() }
  }

  /// Runs `body` in `work` each time.
  public func start(
    _ work: Work, _ body: @escaping @ViewModelActor (First, Second) async throws -> Void
  ) {
    on { first, second in work.start { try await body(first, second) } }
  }
}

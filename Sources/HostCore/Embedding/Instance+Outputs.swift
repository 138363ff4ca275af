extension Instance {
  /// A new value of a state, or a signal.
  public struct Output: Sendable, Equatable, CustomStringConvertible {
    public let name: String
    /// When it was, since the session's beginning.
    public let time: Duration
    let bytes: [UInt8]

    /// The value as canonical JSON; nil for a signal that has none.
    public var json: String? { Coding.text(bytes) }

    /// The value as a type of the app's own.
    public func decode<Value: Decodable>(
      as type: Value.Type = Value.self
    ) throws(HostError) -> Value {
      try Coding.decode(type, from: bytes, of: "\"\(name)\"")
    }

    /// The name, a blank and the value.
    public var description: String { json.map { "\(name) \($0)" } ?? name }
  }

  /// What an instance outputs from the moment at which this was made, in order.
  ///
  /// It ends when the instance or its session is closed, and throws what ended the session
  /// otherwise. What isn't read waits in memory, however much that is. Like any sequence of one
  /// stream it is for one reader; each call of `outputs()` makes another.
  public struct Outputs: AsyncSequence, Sendable {
    public typealias Element = Output
    public typealias Failure = HostError

    let stream: AsyncStream<Result<Output, HostError>>

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<Result<Output, HostError>>.Iterator

      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(HostError) -> Output? {
        try await base.next(isolation: actor)?.get()
      }
    }
  }
}

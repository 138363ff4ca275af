extension Instance {
  /// A new value of a state, or a signal.
  public struct Output: Sendable, Equatable, CustomStringConvertible {
    /// The name of the state or signal.
    public let name: String
    /// The session's time of the output, counted from the session's beginning.
    public let time: Duration
    let bytes: [UInt8]

    /// The value as canonical JSON; nil for a signal without a value.
    public var json: String? { Coding.text(bytes) }

    /// Returns the value as a type of the app's.
    ///
    /// - Throws: a `HostError` with the code `invalid` if there is no value, or if it doesn't fit
    ///   the type.
    public func decode<Value: Decodable>(
      as type: Value.Type = Value.self
    ) throws(HostError) -> Value {
      try Coding.decode(type, from: bytes, of: "\"\(name)\"")
    }

    /// The name and the value as JSON, separated by a blank.
    public var description: String { json.map { "\(name) \($0)" } ?? name }
  }

  /// The outputs of an instance, in order, from the call of `outputs()` on.
  ///
  /// The sequence ends when the instance or its session is closed. If an error ends the session,
  /// `next()` throws that error. Outputs that nobody reads stay in memory, without a limit. A
  /// sequence is for one reader; call `outputs()` again for another one.
  public struct Outputs: AsyncSequence, Sendable {
    public typealias Element = Output
    public typealias Failure = HostError

    let stream: AsyncStream<Result<Output, HostError>>

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<Result<Output, HostError>>.Iterator

      /// Waits for the next output.
      ///
      /// - Returns: the output; nil once the instance or the session is closed, or the task is
      ///   cancelled.
      /// - Throws: the `HostError` that ended the session: `brokenPlugin` or `system`.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(HostError) -> Output? {
        try await base.next(isolation: actor)?.get()
      }
    }
  }
}

/// What answers the requests for one effect: a program or a closure.
public struct EffectAnswer: Sendable {
  typealias Handler = @Sendable (EffectRequest) async throws -> [UInt8]

  enum Source: Sendable {
    case command(String)
    case handler(Handler)
  }

  let source: Source

  /// Answers with a program that speaks the protocol of effect providers.
  ///
  /// - Parameter command: a command line for `/bin/sh -c`.
  public static func command(_ command: String) -> EffectAnswer {
    EffectAnswer(source: .command(command))
  }

  /// Answers with the value that a closure returns.
  ///
  /// Each request calls the closure in a task of its own. The task is cancelled when the plugin no
  /// longer wants the answer.
  ///
  /// - Parameter answer: returns a value that can be written as JSON. If it throws an
  ///   `EffectFailure`, the request fails with that code and message; if it throws anything else,
  ///   or if the value can't be written, the request fails with the code `failed`.
  public static func handler<Reply: Encodable & SendableMetatype>(
    _ answer: @escaping @Sendable (EffectRequest) async throws -> Reply
  ) -> EffectAnswer {
    EffectAnswer(
      source: .handler { request in
        let reply = try await answer(request)
        return try Coding.encode(reply, as: "the answer to \"\(request.effect)\"")
      })
  }

  /// Answers without a value, once a closure has returned.
  ///
  /// Each request calls the closure in a task of its own. The task is cancelled when the plugin no
  /// longer wants the answer.
  ///
  /// - Parameter answer: does what was asked for. If it throws an `EffectFailure`, the request
  ///   fails with that code and message; if it throws anything else, with the code `failed`.
  public static func handler(
    _ answer: @escaping @Sendable (EffectRequest) async throws -> Void
  ) -> EffectAnswer {
    EffectAnswer(
      source: .handler { request in
        try await answer(request)
        return []
      })
  }
}

/// A view model's request for an effect.
public struct EffectRequest: Sendable {
  /// The name of the effect, such as `http`.
  public let effect: String
  /// The handle of the instance that asks.
  public let instance: String
  let bytes: [UInt8]

  /// The value of the request as canonical JSON; nil if it has none.
  public var json: String? { Coding.text(bytes) }

  /// Returns the value of the request as a type of the app's.
  ///
  /// - Throws: a `HostError` with the code `invalid` if the request has no value, or if the value
  ///   doesn't fit the type.
  public func decode<Value: Decodable>(
    as type: Value.Type = Value.self
  ) throws(HostError) -> Value {
    try Coding.decode(type, from: bytes, of: "a request for \"\(effect)\"")
  }
}

/// The reason why a request can't be answered. A handler throws it to fail the request.
public struct EffectFailure: Error, Sendable, Equatable {
  /// What the plugin can act on, such as `offline`.
  public let code: String
  /// An explanation for people.
  public let message: String

  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}

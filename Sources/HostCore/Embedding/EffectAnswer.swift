/// Who answers the requests of one effect.
public struct EffectAnswer: Sendable {
  typealias Handler = @Sendable (EffectRequest) async throws -> [UInt8]

  enum Source: Sendable {
    case command(String)
    case handler(Handler)
  }

  let source: Source

  /// A program that speaks the protocol of effect providers, started by `/bin/sh -c`.
  public static func command(_ command: String) -> EffectAnswer {
    EffectAnswer(source: .command(command))
  }

  /// A closure, called in a task of its own for each request; the task is cancelled when the plugin
  /// no longer wants the answer.
  ///
  /// What it throws fails the request: an `EffectFailure` with its code, anything else with the
  /// code `failed`.
  public static func handler<Reply: Encodable & SendableMetatype>(
    _ answer: @escaping @Sendable (EffectRequest) async throws -> Reply
  ) -> EffectAnswer {
    EffectAnswer(
      source: .handler { request in
        let reply = try await answer(request)
        return try Coding.encode(reply, as: "the answer to \"\(request.effect)\"")
      })
  }

  /// A closure that answers with no value: when it returns, what was asked for is done. In all else
  /// it is as the other `handler`.
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

/// Something that a view model asks for.
public struct EffectRequest: Sendable {
  public let effect: String
  /// The handle of the instance that asks.
  public let instance: String
  let bytes: [UInt8]

  /// The value as canonical JSON; nil for none.
  public var json: String? { Coding.text(bytes) }

  /// The value as a type of the app's own.
  public func decode<Value: Decodable>(
    as type: Value.Type = Value.self
  ) throws(HostError) -> Value {
    try Coding.decode(type, from: bytes, of: "a request for \"\(effect)\"")
  }
}

/// Why a request can't be answered.
public struct EffectFailure: Error, Sendable, Equatable {
  /// For the plugin, such as `offline`.
  public let code: String
  /// For people.
  public let message: String

  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}

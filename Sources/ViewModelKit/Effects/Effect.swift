import CanonicalJSON

/// Something the view model asks of the world: `let locate = Effect<Query, Place>("geo.locate")`.
///
/// `NoValue` as `Request` or `Reply` stands for none.
public final class Effect<Request: Codable & Sendable, Reply: Codable & Sendable>: EffectPart {
  private let effect: [UInt8]

  public nonisolated init(_ name: String) { effect = Array(name.utf8) }

  override var requests: [String] { [String(decoding: effect, as: UTF8.self)] }

  override var title: String { "the effect \"\(String(decoding: effect, as: UTF8.self))\"" }

  override var refusal: String? {
    Image.trials.refusal(of: Request.self) ?? Image.trials.refusal(of: Reply.self)
  }

  /// Asks, and waits for the answer.
  ///
  /// Throws `EffectError` as the provider answers, or with `invalidReply`; `CancellationError` once
  /// the run is cancelled.
  @discardableResult
  public func send(_ request: Request) async throws -> Reply {
    let reply = try await ask(effect, Request.self == NoValue.self ? nil : request)
    return try decodeReply(Reply.self, from: reply, effect)
  }
}

extension Effect where Request == NoValue {
  @discardableResult
  public func send() async throws -> Reply { try await send(NoValue()) }
}

/// An effect of any kind: asks the host, and waits for the answer.
@ViewModelActor public class EffectPart: ViewModelPart {
  /// Sends the request and gives the reply's JSON, empty for none. A nil request has no value.
  func ask<Request: Encodable>(_ effect: [UInt8], _ request: Request?) async throws -> [UInt8] {
    guard let instance else {
      let name = String(decoding: effect, as: UTF8.self)
      throw EffectError(
        code: EffectError.notDeclared,
        message: "The effect \"\(name)\" is not a stored property of a view model; make it one.")
    }
    guard instance.isAlive, !Task.isCancelled else { throw await instance.refusal() }
    let id = try instance.reserve(effect, request)
    let executor = ViewModelActor.shared.executor
    let reply = try await withTaskCancellationHandler {
      // A continuation resumes on the global pool, before it comes back to the actor, unless the
      // task prefers an executor. The runs of a work do anyway; an author's own task does not.
      try await withTaskExecutorPreference(executor) {
        try await withCheckedThrowingContinuation { continuation in
          instance.expect(id, effect) { continuation.resume(with: $0) }
        }
      }
    } onCancel: {
      executor.perform { instance.cancel(id) }
    }
    // Cancelled after the answer came, before this code went on: the answer is stale.
    if Task.isCancelled { throw await instance.refusal() }
    return reply
  }

  func decodeReply<Reply: Decodable>(
    _ type: Reply.Type, from json: [UInt8], _ effect: [UInt8]
  ) throws(EffectError) -> Reply {
    if type == NoValue.self, let none = NoValue() as? Reply {
      guard json.isEmpty || json == Array("null".utf8) else {
        throw invalidReply(effect, "it has a value where none was expected")
      }
      return none
    }
    guard !json.isEmpty else { throw invalidReply(effect, "it has no value") }
    do {
      return try JSONCoding.decode(type, from: json.span)
    } catch {
      throw invalidReply(effect, JSONCoding.message(for: error))
    }
  }

  func invalidReply(_ effect: [UInt8], _ why: String) -> EffectError {
    let name = String(decoding: effect, as: UTF8.self)
    return EffectError(
      code: EffectError.invalidReply, message: "The reply to \"\(name)\" can't be used: \(why).")
  }
}

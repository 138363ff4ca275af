import CanonicalJSON

/// What the user did, with its value: `let didSearch = Input<String>()`.
public final class Input<Value: Codable & Sendable>: InputPart {
  /// Runs all handlers. One closure, and no array, whose type would be looked up for each value.
  private var handle: (@ViewModelActor (Value, Instance) -> Void)?

  /// How values are coded, if their type does so itself.
  private let direct: DirectCoding<Value>?

  public nonisolated override init() { direct = nil }

  public nonisolated init() where Value: DirectJSON { direct = .of(Value.self) }

  /// Adds a handler. All run in the order in which they were added.
  ///
  /// What one throws becomes a fault that names this input; the others still run.
  public func on(_ handler: @escaping @ViewModelActor (Value) throws -> Void) {
    let earlier = handle
    handle = { value, instance in
      earlier?(value, instance)
      do {
        try handler(value)
      } catch {
        instance.fault(instance.cause, error)
      }
    }
  }

  /// Runs `body` in `work` each time.
  public func start(
    _ work: Work, _ body: @escaping @ViewModelActor (Value) async throws -> Void
  ) {
    on { value in work.start { try await body(value) } }
  }

  override var refusal: String? {
    Image.trials.refusal(of: Value.self) ?? direct?.difference(Image.trials)
  }

  override var schema: JSONValue? {
    // Spelled out, because a bare `nil` may also mean the JSON value null.
    Value.self == NoValue.self ? Optional.none : Image.trials.schema(ofDecoded: Value.self)
  }

  override func receive(_ json: Span<UInt8>, in instance: Instance) throws(Refusal) {
    let value = try decode(json)
    handle?(value, instance)
  }

  private func decode(_ json: Span<UInt8>) throws(Refusal) -> Value {
    if Value.self == NoValue.self {
      guard json.isEmpty else { throw refusal("takes no value; send the input without one") }
      return sameType(NoValue(), as: Value.self)
    }
    guard !json.isEmpty else { throw refusal("needs a value") }
    do {
      if let direct { return try direct.decode(json) }
      return try PortCoding.decode(Value.self, from: json)
    } catch {
      throw refusal("can't take this value: \(JSONCoding.message(for: error))")
    }
  }

  private func refusal(_ why: String) -> Refusal {
    Refusal(.value, "The input \"\(String(decoding: name, as: UTF8.self))\" \(why).")
  }

  override func release() { handle = nil }
}

extension Input where Value == NoValue {
  public func on(_ handler: @escaping @ViewModelActor () throws -> Void) {
    on { (_: NoValue) in try handler() }
  }

  public func start(_ work: Work, _ body: @escaping @ViewModelActor () async throws -> Void) {
    on { (_: NoValue) in work.start(body) }
  }
}

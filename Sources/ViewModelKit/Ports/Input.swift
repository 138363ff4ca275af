import CanonicalJSON

/// What the user did, with its value: `let didSearch = Input<String>()`.
public final class Input<Value: Codable & Sendable>: InputPart {
  private var handlers: [@ViewModelActor (Value) throws -> Void] = []

  public override init() {}

  /// Adds a handler. All run in the order in which they were added.
  ///
  /// What one throws becomes a fault that names this input; the others still run.
  public func on(_ handler: @escaping @ViewModelActor (Value) throws -> Void) {
    handlers.append(handler)
  }

  /// Runs `body` in `work` each time.
  public func start(
    _ work: Work, _ body: @escaping @ViewModelActor (Value) async throws -> Void
  ) {
    on { value in work.start { try await body(value) } }
  }

  override var schema: JSONValue? {
    // Spelled out, because a bare `nil` may also mean the JSON value null.
    Value.self == NoValue.self ? Optional.none : JSONSchema.exactSchema(ofDecoded: Value.self)
  }

  override func receive(_ json: Span<UInt8>, in instance: Instance) throws(Refusal) {
    let value = try decode(json)
    for handler in handlers {
      do {
        try handler(value)
      } catch {
        instance.fault(name, error)
      }
    }
  }

  private func decode(_ json: Span<UInt8>) throws(Refusal) -> Value {
    if Value.self == NoValue.self, let none = NoValue() as? Value {
      guard json.isEmpty else { throw refusal("takes no value; send the input without one") }
      return none
    }
    guard !json.isEmpty else { throw refusal("needs a value") }
    do {
      return try PortCoding.decode(Value.self, from: json)
    } catch {
      throw refusal("can't take this value: \(JSONCoding.message(for: error))")
    }
  }

  private func refusal(_ why: String) -> Refusal {
    Refusal(.value, "The input \"\(String(decoding: name, as: UTF8.self))\" \(why).")
  }

  override func release() { handlers = [] }
}

extension Input where Value == NoValue {
  public func on(_ handler: @escaping @ViewModelActor () throws -> Void) {
    on { (_: NoValue) in try handler() }
  }

  public func start(_ work: Work, _ body: @escaping @ViewModelActor () async throws -> Void) {
    on { (_: NoValue) in work.start(body) }
  }
}

import CanonicalJSON

/// An output that has a value at all times: `let query = State("")`.
public final class State<Value: Codable & Sendable>: StatePart {
  private var stored: Value
  /// Whether a value differs from `stored`; nil if that doesn't matter.
  private let differs: ((Value, Value) -> Bool)?

  public init(_ first: Value) {
    stored = first
    differs = nil
  }

  /// A state that stays quiet when it is set to the value that it has.
  public init(_ first: Value, _ option: StateOption) where Value: Equatable {
    stored = first
    switch option {
    case .distinct: differs = { $0 != $1 }
    }
  }

  /// The latest value. Each set emits it, also when it is equal, unless the state is distinct.
  ///
  /// In `init` and `start` a set only replaces the first value. In a cancelled run it does nothing.
  public var value: Value {
    get { stored }
    set {
      if let instance, instance.isStarted, !instance.mayEmit { return }
      if let differs, !differs(newValue, stored) { return }
      stored = newValue
      if let instance, instance.isStarted { instance.emit(name, newValue) }
    }
  }

  override var schema: JSONValue {
    JSONSchema.exactSchema(ofEncoded: Value.self, known: stored)
  }
  override var isDistinct: Bool { differs != nil }
  override func emitFirst(in instance: Instance) { instance.emit(name, stored) }

  override func appendValue(to json: inout [UInt8]) throws {
    try JSONCoding.encode(stored, appendingTo: &json)
  }
}

/// How a state emits.
public enum StateOption: Sendable {
  /// Only when the value changes.
  case distinct
}

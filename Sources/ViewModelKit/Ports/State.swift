import CanonicalJSON

/// An output that has a value at all times: `let query = State("")`.
public final class State<Value: Codable & Sendable>: StatePart {
  private var stored: Value
  /// Whether a value differs from `stored`; nil if that doesn't matter.
  private let differs: (@ViewModelActor (Value, Value) -> Bool)?

  /// How values are coded, if their type does so itself.
  private let direct: DirectCoding<Value>?

  private nonisolated init(
    _ first: Value, differs: (@ViewModelActor (Value, Value) -> Bool)?,
    direct: DirectCoding<Value>?
  ) {
    stored = first
    self.differs = differs
    self.direct = direct
  }

  public nonisolated convenience init(_ first: Value) {
    self.init(first, differs: nil, direct: nil)
  }

  public nonisolated convenience init(_ first: Value) where Value: DirectJSON {
    self.init(first, differs: nil, direct: .of(Value.self))
  }

  /// A state that stays quiet when it is set to the value that it has.
  public nonisolated convenience init(_ first: Value, _ option: StateOption)
  where Value: Equatable {
    self.init(first, differs: option.differs(), direct: nil)
  }

  /// A state that stays quiet when it is set to the value that it has.
  public nonisolated convenience init(_ first: Value, _ option: StateOption)
  where Value: Equatable & DirectJSON {
    self.init(first, differs: option.differs(), direct: .of(Value.self))
  }

  /// The latest value. Each set emits it, also when it is equal, unless the state is distinct.
  ///
  /// In `init` and `start` a set only replaces the first value. In a cancelled run it does nothing.
  public var value: Value {
    get { stored }
    set {
      guard let instance, instance.isStarted else {
        replace(newValue)
        return
      }
      guard instance.mayEmit, replace(newValue) else { return }
      instance.emit(name, newValue, direct)
    }
  }

  /// Returns false for an equal value of a distinct state.
  @discardableResult
  private func replace(_ value: Value) -> Bool {
    if let differs, !differs(value, stored) { return false }
    stored = value
    return true
  }

  override var refusal: String? {
    Image.trials.refusal(of: Value.self) ?? direct?.difference(Image.trials)
  }

  override var schema: JSONValue {
    Image.trials.schema(ofEncoded: Value.self, known: stored)
  }
  override var isDistinct: Bool { differs != nil }
  override func emitFirst(in instance: Instance) { instance.emit(name, stored, direct) }

  override func appendValue(to json: inout [UInt8]) throws {
    try JSONCoding.encode(stored, appendingTo: &json)
  }
}

/// How a state emits.
public enum StateOption: Sendable {
  /// Only when the value changes.
  case distinct

  fileprivate func differs<Value: Equatable>() -> @ViewModelActor (Value, Value) -> Bool {
    switch self {
    case .distinct: { $0 != $1 }
    }
  }
}

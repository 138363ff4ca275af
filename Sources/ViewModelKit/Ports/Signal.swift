import CanonicalJSON

/// An output that happens, such as a navigation: `let showDetails = Signal<Movie>()`.
public final class Signal<Value: Codable & Sendable>: SignalPart {
  private let isNew: (Value) -> Bool

  public override init() { isNew = { _ in true } }

  /// A signal that stays quiet when it is given the value that it emitted last.
  ///
  /// Unlike a distinct state it has no first value: its first emission always happens.
  public init(_ option: SignalOption) where Value: Equatable {
    switch option {
    case .distinct:
      var emissions = Distinct<Value>()
      isNew = { emissions.accepts($0) }
    }
  }

  /// Emits it. Does nothing in `init` and in a cancelled run.
  public func emit(_ value: Value) {
    guard let instance, instance.mayEmit, isNew(value) else { return }
    if Value.self == NoValue.self {
      instance.emitWithoutValue(name)
    } else {
      instance.emit(name, value)
    }
  }

  override var schema: JSONValue? {
    // Spelled out, because a bare `nil` may also mean the JSON value null.
    Value.self == NoValue.self ? Optional.none : JSONSchema.exactSchema(ofEncoded: Value.self)
  }
}

extension Signal where Value == NoValue {
  public func emit() { emit(NoValue()) }
}

/// How a signal emits.
public enum SignalOption: Sendable {
  /// Only what differs from the emission before.
  case distinct
}

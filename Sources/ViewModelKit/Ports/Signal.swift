import CanonicalJSON

/// An output that happens, such as a navigation: `let showDetails = Signal<Movie>()`.
public final class Signal<Value: Codable & Sendable>: SignalPart {
  /// Whether a value differs from the last emission; nil if that doesn't matter.
  private let differs: (@ViewModelActor (Value, Value) -> Bool)?
  /// The last emission, of a distinct signal.
  private var last: Value?

  /// How values are coded, if their type does so itself.
  private let direct: DirectCoding<Value>?

  public nonisolated override init() {
    differs = nil
    direct = nil
  }

  public nonisolated init() where Value: DirectJSON {
    differs = nil
    direct = .of(Value.self)
  }

  /// A signal that stays quiet when it is given the value that it emitted last.
  ///
  /// Unlike a distinct state it has no first value: its first emission always happens.
  public nonisolated init(_ option: SignalOption) where Value: Equatable {
    differs = option.differs()
    direct = nil
  }

  /// A signal that stays quiet when it is given the value that it emitted last.
  public nonisolated init(_ option: SignalOption) where Value: Equatable & DirectJSON {
    differs = option.differs()
    direct = .of(Value.self)
  }

  /// Emits it. Does nothing in `init` and in a cancelled run.
  public func emit(_ value: Value) {
    guard let instance, instance.mayEmit, isNew(value) else { return }
    if Value.self == NoValue.self {
      instance.emitWithoutValue(name)
    } else {
      instance.emit(name, value, direct)
    }
  }

  private func isNew(_ value: Value) -> Bool {
    guard let differs else { return true }
    if let last, !differs(last, value) { return false }
    last = value
    return true
  }

  override var refusal: String? {
    Image.trials.refusal(of: Value.self) ?? direct?.difference(Image.trials)
  }

  override var schema: JSONValue? {
    // Spelled out, because a bare `nil` may also mean the JSON value null.
    Value.self == NoValue.self ? Optional.none : Image.trials.schema(ofEncoded: Value.self)
  }
}

extension Signal where Value == NoValue {
  public func emit() { emit(NoValue()) }
}

/// How a signal emits.
public enum SignalOption: Sendable {
  /// Only what differs from the emission before.
  case distinct

  fileprivate func differs<Value: Equatable>() -> @ViewModelActor (Value, Value) -> Bool {
    switch self {
    case .distinct: { $0 != $1 }
    }
  }
}

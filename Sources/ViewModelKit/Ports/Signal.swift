import CanonicalJSON

/// An output that happens, such as a navigation: `let showDetails = Signal<Movie>()`.
public final class Signal<Value: Codable & Sendable>: SignalPart {
  public override init() {}

  /// Emits it. Does nothing in `init` and in a cancelled run.
  public func emit(_ value: Value) {
    guard let instance, instance.mayEmit else { return }
    if Value.self == NoValue.self {
      instance.emitWithoutValue(name)
    } else {
      instance.emit(name, value)
    }
  }

  override var schema: JSONValue? { portSchema(of: Value.self) }
}

extension Signal where Value == NoValue {
  public func emit() { emit(NoValue()) }
}

/// A signal of any type, as the instance sees it.
@ViewModelActor public class SignalPart: ViewModelPart {
  var schema: JSONValue? { nil }
}

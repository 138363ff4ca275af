import CanonicalJSON

/// What the kit finds among a view model's stored properties: a port, an effect or a work.
@ViewModelActor public class ViewModelPart {
  /// The property's name; empty until a view model is made with it.
  final var name: [UInt8] = []
  /// Where it belongs; nil until `start` nears, and in the prototype that the manifest is made of.
  final var instance: Instance?

  init() {}

  /// The effects it may ask for, in the order in which the manifest names them.
  var requests: [String] { [] }

  /// Stops what runs, for the end of the instance.
  func stop() {}

  /// Lets go of the author's closures.
  func release() {}
}

/// An input of any type, as the instance sees it.
@ViewModelActor public class InputPart: ViewModelPart {
  var schema: JSONValue? { nil }

  func receive(_ json: Span<UInt8>, in instance: Instance) throws(Refusal) {}
}

/// A state of any type, as the instance sees it.
@ViewModelActor public class StatePart: ViewModelPart {
  var schema: JSONValue { .null }
  var isDistinct: Bool { false }
  func emitFirst(in instance: Instance) {}
  func appendValue(to json: inout [UInt8]) throws {}
}

/// A signal of any type, as the instance sees it.
@ViewModelActor public class SignalPart: ViewModelPart {
  var schema: JSONValue? { nil }
}

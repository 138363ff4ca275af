import CanonicalJSON

/// What a stored property of a view model may have that the kit knows: a port, an effect or a work.
@ViewModelActor public class ViewModelPart {
  /// The property's name. Empty until the kit has found the part.
  final var name: [UInt8] = []
  /// The part's instance. Nil until just before `start`, and in the manifest's prototype.
  final var instance: Instance?

  /// Not isolated, so that structs of parts need no annotation.
  nonisolated init() {
    let executor = ViewModelActor.shared.executor
    if executor.isInHostCall { executor.enter(self) { Making.note($0) } }
  }

  /// The effects it may ask for, in the order in which the manifest names them.
  var requests: [String] { [] }

  /// Such as `the input "didTap"`.
  var title: String { "the property \"\(String(decoding: name, as: UTF8.self))\"" }

  /// Why its values can't be JSON; nil if they can.
  var refusal: String? { nil }

  /// Stops what is running when the instance ends.
  func stop() {}

  /// Releases the author's closures.
  func release() {}
}

/// An input of any type, as the instance sees it.
@ViewModelActor public class InputPart: ViewModelPart {
  override var title: String { "the input \"\(String(decoding: name, as: UTF8.self))\"" }
  var schema: JSONValue? { nil }

  func receive(_ json: Span<UInt8>, in instance: Instance) throws(Refusal) {}
}

/// A state of any type, as the instance sees it.
@ViewModelActor public class StatePart: ViewModelPart {
  override var title: String { "the state \"\(String(decoding: name, as: UTF8.self))\"" }
  var schema: JSONValue { .null }
  var isDistinct: Bool { false }
  func emitFirst(in instance: Instance) {}
  func appendValue(to json: inout [UInt8]) throws {}
}

/// A signal of any type, as the instance sees it.
@ViewModelActor public class SignalPart: ViewModelPart {
  override var title: String { "the signal \"\(String(decoding: name, as: UTF8.self))\"" }
  var schema: JSONValue? { nil }
}

import CanonicalJSON

/// The plugin's description of itself, derived from a prototype of each view model.
@ViewModelActor enum Manifest {
  static func json(id: String, version: String, types: [any ViewModel.Type]) -> [UInt8] {
    var members: [String: JSONValue] = ["id": .string(id), "version": .string(version)]
    defer { Image.trials = TypeTrials() }
    do {
      members["viewModels"] = .array(try types.map { try description(of: $0) })
    } catch {
      members["error"] = .string(JSONCoding.message(for: error))
    }
    return Array(JSONValue.object(members).canonicalText.utf8)
  }

  private static func description<Model: ViewModel>(of type: Model.Type) throws -> JSONValue {
    do {
      return try members(of: type)
    } catch {
      throw Failure(description: "\(Model.id): \(JSONCoding.message(for: error))")
    }
  }

  private static func members<Model: ViewModel>(of type: Model.Type) throws -> JSONValue {
    let (model, made) = Making.watch { Model() }
    let parts = try Parts(of: model, made: consume made)
    try parts.refuseSameNames()
    for part in parts.all { try refuse(part.refusal, of: part.title) }
    Image.partNames[ObjectIdentifier(Model.self)] = parts.names
    var members: [String: JSONValue] = [
      "id": .string(Model.id),
      "inputs": .array(parts.inputs.map { port($0.name, $0.schema) }),
      "states": .array(try parts.states.map(state)),
      "signals": .array(parts.signals.map { port($0.name, $0.schema) }),
      "requests": .array(parts.requests.map { .string($0) }),
    ]
    if Model.Config.self != NoConfig.self {
      try refuse(Image.trials.refusal(of: Model.Config.self), of: "the config")
      let config = try ConfigReader<Model.Config>.shared()
      members["config"] = .object(["schema": config.exactSchema, "default": config.defaults])
    }
    return .object(members)
  }

  /// Throws if a part's values can't be JSON.
  private static func refuse(_ refusal: String?, of title: String) throws {
    if let refusal { throw Failure(description: "\(title): \(refusal)") }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static func port(_ name: [UInt8], _ schema: JSONValue?) -> JSONValue {
    var members: [String: JSONValue] = ["name": .string(String(decoding: name, as: UTF8.self))]
    if let schema { members["schema"] = schema }
    return .object(members)
  }

  private static func state(_ state: StatePart) throws -> JSONValue {
    var first: [UInt8] = []
    do {
      try state.appendValue(to: &first)
    } catch {
      throw Failure(description: "\(state.title): \(JSONCoding.message(for: error))")
    }
    var members: [String: JSONValue] = [
      "name": .string(String(decoding: state.name, as: UTF8.self)),
      "schema": state.schema,
      "first": try JSONValue(parsing: first.span),
    ]
    if state.isDistinct { members["distinct"] = true }
    return .object(members)
  }
}

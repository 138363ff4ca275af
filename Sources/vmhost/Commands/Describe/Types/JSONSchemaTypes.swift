import CanonicalJSON
import HostCore

/// The types of a front end as one JSON Schema: the schema of all lines, in which those for view
/// models name what there is.
enum JSONSchemaTypes {
  static func text(_ frontEnd: FrontEnd) throws -> String {
    guard case .object(var document) = try LineTypes.schema(),
      var definitions = document["$defs"]?.objectValue
    else { throw Failure(.internalError, "the schema of lines is invalid.") }
    let lines = ["in", "out"].flatMap { LineTypes.definitions($0, .object(document)) }
    for model in frontEnd.viewModels { definitions.merge(values(of: model)) { $1 } }
    for name in lines {
      let role = LineTypes.Role(name)
      guard role != .none, case .object(var line)? = definitions[name] else { continue }
      var options: [JSONValue] = []
      for model in frontEnd.viewModels {
        guard let rules = rules(role, of: model, frontEnd) else { continue }
        definitions["\(model.id):\(name)"] = rules
        options.append(reference("\(model.id):\(name)"))
      }
      line["anyOf"] = choice(options)
      definitions[name] = .object(line)
    }
    document["$defs"] = .object(definitions)
    document["title"] = .string("The JSON Lines of vmhost for \(frontEnd.title)")
    let json = Array(JSONValue.object(document).canonicalText.utf8)
    return String(decoding: try CanonicalJSON.pretty(json.span, indent: 0), as: UTF8.self) + "\n"
  }

  private static func reference(_ definition: String) -> JSONValue {
    .object(["$ref": .string("#/$defs/\(definition)")])
  }

  /// One of these; nothing if there are none, which "anyOf" can't say.
  private static func choice(_ options: [JSONValue]) -> JSONValue {
    .array(options.isEmpty ? [false] : options)
  }

  // MARK: Values

  /// The definitions of a view model's values: of its ports, its states together and its config.
  private static func values(of model: ViewModelManifest) -> [String: JSONValue] {
    var definitions: [String: JSONValue] = [:]
    for port in model.inputs + model.outputs {
      let key = self.key(of: port, model)
      definitions[key] = port.schema.map { EmbeddedSchema.copy(of: $0, at: "#/$defs/\(key)") }
    }
    let states = model.states.map { ($0.name, reference(key(of: $0, model))) }
    var all: [String: JSONValue] = [
      "type": "object", "properties": .object(Dictionary(uniqueKeysWithValues: states)),
      "additionalProperties": false,
    ]
    if !states.isEmpty { all["required"] = .array(states.map { .string($0.0) }) }
    definitions["\(model.id):states"] = .object(all)
    let configKey = "\(model.id):config"
    definitions[configKey] =
      ConfigSchema.schema(of: model).map {
        EmbeddedSchema.copy(of: $0, at: "#/$defs/\(configKey)")
      } ?? .object(["type": "object"])
    return definitions
  }

  private static func key(of port: ViewModelManifest.Port, _ model: ViewModelManifest) -> String {
    "\(model.id):\(port.role == .input ? "input" : "output"):\(port.name)"
  }

  // MARK: Lines

  /// What the members of a line can be if it is about this view model; nil if none is.
  private static func rules(
    _ role: LineTypes.Role, of model: ViewModelManifest, _ frontEnd: FrontEnd
  ) -> JSONValue? {
    let handles = frontEnd.handles(of: model.id)
    if handles == [] { return nil }
    var properties: [String: JSONValue] = [:]
    var rules: [String: JSONValue] = [:]
    var required: [JSONValue] = []
    switch role {
    case .input: rules["anyOf"] = choice(model.inputs.map { port($0, model) })
    case .output: rules["anyOf"] = choice(model.outputs.map { port($0, model) })
    case .opening:
      properties["viewModel"] = .object(["const": .string(model.id)])
      properties["config"] = reference("\(model.id):config")
      if ConfigSchema.hasRequiredMembers(model) { required.append("config") }
    case .opened: properties["viewModel"] = .object(["const": .string(model.id)])
    case .request:
      if model.requests.isEmpty { return nil }
      properties["effect"] = .object(["enum": .array(model.requests.map(JSONValue.string))])
    case .frame: properties["states"] = reference("\(model.id):states")
    case .none: return nil
    }
    if let handles {
      properties["instance"] = .object(["enum": .array(handles.map(JSONValue.string))])
      required.append("instance")
    }
    if !properties.isEmpty { rules["properties"] = .object(properties) }
    if !required.isEmpty { rules["required"] = .array(required) }
    return .object(rules)
  }

  /// The name and value of a port.
  private static func port(
    _ port: ViewModelManifest.Port, _ model: ViewModelManifest
  ) -> JSONValue {
    let name: JSONValue = .object(["const": .string(port.name)])
    guard port.hasValue else {
      return .object(["properties": .object(["name": name, "value": false])])
    }
    return .object([
      "properties": .object(["name": name, "value": reference(key(of: port, model))]),
      "required": ["value"],
    ])
  }
}

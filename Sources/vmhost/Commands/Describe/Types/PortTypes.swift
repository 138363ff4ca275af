import CanonicalJSON
import HostCore

/// The types of one view model's ports and config.
struct PortTypes {
  struct Port {
    let name: String
    /// The type of its values; nil if it has none.
    var type: ValueType?
    let description: String?
  }

  let id: String
  let inputs: [Port]
  let states: [Port]
  let signals: [Port]
  let effects: [String]
  let config: ValueType
  /// Whether no instance opens without a config.
  let isConfigRequired: Bool
  /// What the schemas refer to.
  private(set) var parts: [SchemaTypeReader.Part] = []

  init(_ model: ViewModelManifest, _ names: inout TypeNames) {
    id = model.id
    var parts: [SchemaTypeReader.Part] = []
    func type(_ schema: JSONValue, _ words: [String]) -> ValueType {
      let (type, found) = SchemaTypeReader.read(schema, prefix: [model.id] + words, &names)
      parts += found
      return type
    }
    func ports(_ ports: some Sequence<ViewModelManifest.Port>, _ word: String) -> [Port] {
      ports.map { port in
        Port(
          name: port.name, type: port.schema.map { type($0, [port.name, word]) },
          description: port.schema.flatMap(SchemaTypeReader.description))
      }
    }
    inputs = ports(model.inputs, "input")
    states = ports(model.states, "output")
    signals = ports(model.signals, "output")
    effects = model.requests
    let any = ValueType.object(ObjectType(members: [], others: .unknown))
    config = ConfigSchema.schema(of: model).map { type($0, ["config"]) } ?? any
    isConfigRequired = ConfigSchema.hasRequiredMembers(model)
    self.parts = parts
  }
}

/// The schema of the configs that a session takes.
///
/// A given config is laid over the default config. So it may leave out each member that this has,
/// also within objects whose schema lists their members.
enum ConfigSchema {
  static func schema(of model: ViewModelManifest) -> JSONValue? {
    model.configSchema.map { laidOver(model.configDefault, $0) }
  }

  static func hasRequiredMembers(_ model: ViewModelManifest) -> Bool {
    schema(of: model)?["required"]?.arrayValue?.isEmpty == false
  }

  private static func laidOver(_ defaults: JSONValue?, _ schema: JSONValue) -> JSONValue {
    guard case .object(var words) = schema, let defaults = defaults?.objectValue else {
      return schema
    }
    if let required = words["required"]?.arrayValue {
      let rest = required.filter { name in defaults[name.stringValue ?? ""] == nil }
      words["required"] = rest.isEmpty ? nil : .array(rest)
    }
    if let properties = words["properties"]?.objectValue {
      words["properties"] = .object(
        Dictionary(
          uniqueKeysWithValues: properties.map { name, property in
            guard property["properties"] != nil else { return (name, property) }
            return (name, laidOver(defaults[name], property))
          }))
    }
    return .object(words)
  }
}

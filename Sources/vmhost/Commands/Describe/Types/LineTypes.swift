import CanonicalJSON

/// The lines of a session, as Documentation/Schemas/lines.schema.json describes them. The program
/// carries that file.
struct LineTypes {
  /// A kind of line.
  struct Line {
    /// Such as `output`.
    let definition: String
    let members: ObjectType
    let description: String?
    let role: Role

    /// The name of its type.
    var name: String { TypeNames.name([definition, "Line"]) }

    /// The members, some of them with another type. One that the line doesn't have is ignored.
    func members(replaced: [MemberType]) -> ObjectType {
      var result = members
      for (index, member) in members.members.enumerated() {
        guard let other = replaced.first(where: { $0.name == member.name }) else { continue }
        result.members[index] = other
      }
      return result
    }

    /// The members but for these.
    func others(_ names: [String]) -> [MemberType] {
      members.members.filter { !names.contains($0.name) }
    }
  }

  /// How a kind of line depends on the view model of its instance.
  enum Role {
    /// An input, by `name` and `value`.
    case input
    /// A state or signal, by `name` and `value`.
    case output
    /// An opening, with a `config`.
    case opening
    /// Tells that an instance was opened, and its `viewModel`.
    case opened
    /// Has the `effect` of a request.
    case request
    /// Has `states`.
    case frame
    /// Not at all.
    case none

    init(_ definition: String) {
      switch definition {
      case "input": self = .input
      case "output": self = .output
      case "openInstance": self = .opening
      case "open": self = .opened
      case "request", "cancel": self = .request
      case "frame": self = .frame
      default: self = .none
      }
    }

    /// The members whose types follow from the view model.
    var members: [String] {
      switch self {
      case .input, .output: ["name", "value"]
      case .opening: ["viewModel", "config"]
      case .opened: ["viewModel"]
      case .request: ["effect"]
      case .frame: ["states"]
      case .none: []
      }
    }
  }

  let `in`: [Line]
  let out: [Line]
  /// What the lines refer to.
  let parts: [SchemaTypeReader.Part]

  /// The schema of all lines.
  static func schema() throws -> JSONValue {
    let json = PackageResources.lines_schema_json
    return try JSONValue(parsing: json.span)
  }

  /// The names of the definitions that "in" or "out" refers to, in the order of the file.
  static func definitions(_ direction: String, _ schema: JSONValue) -> [String] {
    (schema["$defs"]?[direction]?["anyOf"]?.arrayValue ?? []).compactMap { option in
      option["$ref"]?.stringValue.flatMap(SchemaPointer.path)?.last
    }
  }

  init(_ names: inout TypeNames) throws {
    let schema = try Self.schema()
    let definitions = ["in", "out"].map { Self.definitions($0, schema) }
    let (types, parts) = SchemaTypeReader.read(
      definitions: Array(definitions.joined()), of: schema, &names)
    let lines = zip(definitions.joined(), types).map { name, type in
      guard case .object(let members) = type else { preconditionFailure("\(name) is no object") }
      return Line(
        definition: name, members: members,
        description: schema["$defs"]?[name]?["title"]?.stringValue, role: Role(name))
    }
    self.in = Array(lines.prefix(definitions[0].count))
    out = Array(lines.dropFirst(definitions[0].count))
    self.parts = parts
  }
}

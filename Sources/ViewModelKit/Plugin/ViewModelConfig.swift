import Basics
import CanonicalJSON

/// The options of a view model, all with a default value.
///
/// The host's JSON overrides the default, so it has only the members that differ.
public protocol ViewModelConfig: Codable, Sendable {
  init()
}

/// The config of a view model that has none.
public struct NoConfig: ViewModelConfig {
  public init() {}
}

/// Reads a config of one type, and describes it for the manifest.
@ViewModelActor struct ConfigReader<Config: ViewModelConfig> {
  /// What is known of the members.
  private let schema: JSONValue
  let defaults: JSONValue

  /// The reader of this type, which is made once.
  static func shared() throws -> ConfigReader {
    let id = ObjectIdentifier(Config.self)
    if let known = Image.configReaders[id] as? ConfigReader { return known }
    let reader = try ConfigReader()
    Image.configReaders[id] = reader
    return reader
  }

  private init() throws {
    var json: [UInt8] = []
    try JSONCoding.encode(Config(), appendingTo: &json)
    defaults = try JSONValue(parsing: json.span)
    schema = JSONSchema.schema(of: Config.self)
  }

  /// The schema of what a host may give, which needs no member that has a default.
  var exactSchema: JSONValue {
    Self.withoutDefaults(Image.trials.schema(ofDecoded: Config.self), defaults)
  }

  /// The schema without the requirement of members that `overlay` takes from the defaults.
  private static func withoutDefaults(_ schema: JSONValue, _ defaults: JSONValue) -> JSONValue {
    guard case .object(var words) = schema, let known = defaults.objectValue,
      case .object(var properties)? = words["properties"]
    else { return schema }
    for (name, value) in known {
      if let member = properties[name] { properties[name] = withoutDefaults(member, value) }
    }
    words["properties"] = .object(properties)
    let required = words["required"]?.arrayValue ?? []
    let needed = required.filter { $0.stringValue.map { known[$0] == nil } ?? true }
    words["required"] = needed.isEmpty ? Optional.none : .array(needed)
    return .object(words)
  }

  /// Decodes the config that `json` describes.
  func read(_ json: Span<UInt8>) throws(Refusal) -> Config {
    let given: JSONValue
    do {
      given = try JSONValue(parsing: json)
    } catch {
      throw Refusal(.config, "The config is not JSON: \(JSONCoding.message(for: error)).")
    }
    guard case .object = given else {
      throw Refusal(.config, "The config must be a JSON object, such as \(defaults).")
    }
    let whole = try overlay(given, on: defaults, schema: schema, path: "")
    var bytes: [UInt8] = []
    whole.append(to: &bytes)
    do {
      return try JSONCoding.decode(Config.self, from: bytes.span)
    } catch {
      throw Refusal(.config, "The config can't be used: \(JSONCoding.message(for: error)).")
    }
  }

  /// Replaces the members of `base` that `given` has. Refuses members that the type doesn't have.
  private func overlay(
    _ given: JSONValue, on base: JSONValue?, schema: JSONValue, path: String
  ) throws(Refusal) -> JSONValue {
    guard case .object(let members) = given, let known = knownMembers(schema, path) else {
      return given
    }
    var result = base?.objectValue ?? [:]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      let memberPath = path.isEmpty ? name : "\(path).\(name)"
      guard let member = known[name] else {
        throw Refusal(
          .config,
          "The config has no member \"\(memberPath)\"."
            + NearestName.hintOrList(for: name, among: known.keys.sorted()))
      }
      result[name] = try overlay(value, on: result[name], schema: member, path: memberPath)
    }
    return .object(result)
  }

  /// The members that the schema has, or nil if it allows any.
  private func knownMembers(_ schema: JSONValue, _ path: String) -> [String: JSONValue]? {
    if let properties = schema["properties"]?.objectValue { return properties }
    // With Codable written by hand, the members may show only in the default.
    return path.isEmpty ? defaults.objectValue?.mapValues { _ in .object([:]) } : nil
  }
}

import CanonicalJSON

// A view model as JSON Lines describe it to front ends.
extension ViewModelManifest {
  /// Appends the members of its line, with the schemas of its ports.
  func appendMembers(to bytes: inout [UInt8]) {
    Self.append("id", .string(id), to: &bytes)
    Self.append("inputs", .array(inputs.map(\.json)), to: &bytes)
    Self.append("states", .array(states.map(\.json)), to: &bytes)
    Self.append("signals", .array(signals.map(\.json)), to: &bytes)
    let effects = requests.map { JSONValue.object(["name": .string($0)]) }
    Self.append("requests", .array(effects), to: &bytes)
    if let configSchema { Self.append("config", configSchema, to: &bytes) }
    if let configDefault { Self.append("defaultConfig", configDefault, to: &bytes) }
  }

  private static func append(_ name: String, _ value: JSONValue, to bytes: inout [UInt8]) {
    bytes += Array(",\"\(name)\":".utf8)
    value.append(to: &bytes)
  }
}

extension ViewModelManifest.Port {
  fileprivate var json: JSONValue {
    guard let schema else { return .object(["name": .string(name), "takes": "nothing"]) }
    return .object(["name": .string(name), "schema": schema])
  }
}

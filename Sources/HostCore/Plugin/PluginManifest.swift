import Basics
package import CanonicalJSON

/// A plugin's checked description of itself. Its names are well formed and unique.
package struct PluginManifest: Sendable {
  package let id: String
  package let version: String
  package let viewModels: [ViewModelManifest]
  /// The whole manifest, with members that this host doesn't know.
  package let json: JSONValue

  /// Reads a manifest.
  ///
  /// Members that this host doesn't know are ignored, so that newer plugins load.
  ///
  /// - Throws: `ManifestError` with the path of the member that is wrong.
  package init(json bytes: [UInt8]) throws(ManifestError) {
    guard !bytes.isEmpty else { throw ManifestError("it is empty") }
    do { json = try JSONValue(parsing: bytes.span) } catch {
      throw ManifestError("it is not JSON: \(error)")
    }
    guard json.objectValue != nil else { throw ManifestError("expected an object") }
    if let why = json["error"]?.stringValue, json["viewModels"] == nil {
      throw ManifestError(String(why.prefix(Self.maxReason)), isFromPlugin: true)
    }
    let root = ManifestReader(value: json, path: "")
    id = try root.identifier("id")
    version = try root.text("version")
    guard !version.unicodeScalars.contains(where: \.isHidden) else {
      throw ManifestError("version: it has invisible characters")
    }
    viewModels = try root.list("viewModels") { reader throws(ManifestError) in
      try ViewModelManifest(reader)
    }
    guard !viewModels.isEmpty else { throw ManifestError("viewModels: expected at least one") }
    try ManifestReader.refuseDuplicates(viewModels.map(\.id), what: "view model")
  }

  /// How many characters of a plugin's own words are shown.
  private static let maxReason = 2000

  package func viewModel(_ id: String) -> ViewModelManifest? {
    viewModels.first { $0.id == id }
  }
}

/// One view model of a manifest.
package struct ViewModelManifest: Sendable {
  package struct Port: Sendable {
    package enum Role: String, Sendable { case input, state, signal }
    package let role: Role
    package let name: String
    package let nameBytes: [UInt8]
    /// The JSON Schema of its values, or nil if it has no value.
    package let schema: JSONValue?
    /// Checks its values; nil if it has none, or if any fits.
    package let validator: SchemaValidator?
    /// The initial value of a state, if the manifest has one.
    package let first: JSONValue?

    package var hasValue: Bool { schema != nil }
  }

  package let id: String
  package let inputs: [Port]
  /// The states in order, then the signals. An output's number is its index here.
  package let outputs: [Port]
  package let stateCount: Int
  /// The names of the outputs, for looking one up.
  let outputNames: PortNames
  /// The names of the effects that it may request.
  package let requests: [String]
  package let configSchema: JSONValue?
  /// Checks configs; nil if any fits.
  package let configValidator: SchemaValidator?
  package let configDefault: JSONValue?

  package var states: ArraySlice<Port> { outputs[..<stateCount] }
  package var signals: ArraySlice<Port> { outputs[stateCount...] }

  /// The handle of an instance that nobody named: the part of the id after the last dot.
  package var defaultHandle: String { Self.defaultHandle(of: id) }

  package static func defaultHandle(of id: String) -> String {
    String(id[(id.lastIndex(of: ".").map(id.index(after:)) ?? id.startIndex)...])
  }

  init(_ reader: ManifestReader) throws(ManifestError) {
    id = try reader.identifier("id")
    inputs = try Self.ports(.input, "inputs", of: reader)
    let states = try Self.ports(.state, "states", of: reader)
    outputs = try states + Self.ports(.signal, "signals", of: reader)
    stateCount = states.count
    outputNames = PortNames(outputs)
    requests = try reader.names("requests")
    try ManifestReader.refuseDuplicates(requests, what: "request of \(id)")
    try ManifestReader.refuseDuplicates(inputs.map(\.name), what: "input of \(id)")
    try ManifestReader.refuseDuplicates(outputs.map(\.name), what: "output of \(id)")
    let config = reader.member("config")
    configSchema = config.value["schema"]
    configValidator = try config.validator()
    configDefault = config.value["default"]
  }

  private static func ports(
    _ role: Port.Role, _ member: String, of reader: ManifestReader
  ) throws(ManifestError) -> [Port] {
    try reader.list(member) { port throws(ManifestError) in
      let name = try port.portName("name")
      let schema = port.value["schema"]
      if role == .state && schema == nil {
        throw ManifestError("\(port.path): a state has a value, so it needs a schema")
      }
      return Port(
        role: role, name: name, nameBytes: Array(name.utf8), schema: schema,
        validator: try port.validator(), first: port.value["first"])
    }
  }
}

/// The names of ports, one after the other. Finding one among arrays would count references for
/// each event.
struct PortNames: Sendable {
  private var bytes: [UInt8] = []
  /// Where each name ends.
  private var ends: [Int] = []

  init(_ ports: [ViewModelManifest.Port]) {
    for port in ports {
      bytes += port.nameBytes
      ends.append(bytes.count)
    }
  }

  /// The number of the port with a name; nil if there is none.
  func firstIndex(of name: Span<UInt8>) -> Int? {
    var start = 0
    for index in ends.indices {
      let end = ends[index]
      if bytes.span.extracting(start..<end).equals(name) { return index }
      start = end
    }
    return nil
  }
}

/// A mistake in a manifest, and the path of the member.
package struct ManifestError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether the plugin says so itself, instead of describing its view models.
  let isFromPlugin: Bool

  init(_ description: String, isFromPlugin: Bool = false) {
    self.description = description
    self.isFromPlugin = isFromPlugin
  }

  package var reason: PluginLoadError.Reason {
    isFromPlugin ? .noDescription(description) : .badManifest(description)
  }
}

/// Reads members of a manifest and tracks their path for errors.
struct ManifestReader {
  let value: JSONValue
  let path: String

  func text(_ member: String) throws(ManifestError) -> String {
    guard let text = value[member]?.stringValue, !text.isEmpty else {
      throw ManifestError("\(path(of: member)): expected text")
    }
    return text
  }

  /// Port names joined by dots: `movies.list`.
  func identifier(_ member: String) throws(ManifestError) -> String {
    let id = try text(member)
    guard Self.isIdentifier(id) else {
      throw ManifestError(
        "\(path(of: member)): \"\(id)\" is not an id (letters, digits, _ and -, in parts joined by"
          + " dots, each beginning with a letter or _)")
    }
    return id
  }

  func portName(_ member: String) throws(ManifestError) -> String {
    let name = try text(member)
    guard Self.isPortName(name[...]) else {
      throw ManifestError(
        "\(path(of: member)): \"\(name)\" is not a name (\(Self.portNameRule))")
    }
    return name
  }

  func names(_ member: String) throws(ManifestError) -> [String] {
    try list(member) { reader throws(ManifestError) in
      guard let name = reader.value.stringValue, Self.isIdentifier(name) else {
        throw ManifestError("\(reader.path): expected the name of an effect, such as \"http\"")
      }
      return name
    }
  }

  func list<Element>(
    _ member: String, _ read: (ManifestReader) throws(ManifestError) -> Element
  ) throws(ManifestError) -> [Element] {
    guard let found = value[member] else { return [] }
    guard let items = found.arrayValue else {
      throw ManifestError("\(path(of: member)): expected an array")
    }
    var elements: [Element] = []
    for (index, item) in items.enumerated() {
      elements.append(try read(ManifestReader(value: item, path: "\(path(of: member))[\(index)]")))
    }
    return elements
  }

  /// The validator of the schema under "schema"; nil if there is none, or if any value fits.
  ///
  /// - Parameter ignored: called for each member of the schema that has no effect.
  func validator(
    ignored: ((_ path: String, _ reason: String) -> Void)? = nil
  ) throws(ManifestError) -> SchemaValidator? {
    guard let schema = value["schema"] else { return nil }
    let path = path(of: "schema")
    do throws(SchemaError) {
      let validator = try SchemaValidator(schema) { ignored?(Self.join(path, $0), $1) }
      return validator.allowsAll ? nil : validator
    } catch {
      throw ManifestError("\(Self.join(path, error.path)): \(error.detail)")
    }
  }

  /// A member, or null if there is none.
  func member(_ name: String) -> ManifestReader {
    ManifestReader(value: value[name] ?? .null, path: path(of: name))
  }

  private static func join(_ path: String, _ rest: String) -> String {
    rest.isEmpty || rest.hasPrefix("[") ? path + rest : "\(path).\(rest)"
  }

  static func isIdentifier(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isPortName)
  }

  /// The rule for names, for messages.
  static let portNameRule = "letters, digits, _ and -, beginning with a letter or _"

  static func isPortName(_ name: Substring) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2d }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a) || byte == 0x5f
  }

  static func refuseDuplicates(_ names: [String], what: String) throws(ManifestError) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw ManifestError("\"\(name)\" appears twice as \(what)")
    }
  }

  func path(of member: String) -> String { path.isEmpty ? member : "\(path).\(member)" }
}

import CanonicalJSON

/// Values that only a plugin may know.
///
/// A config names one as `"$secret:NAME"`. Everything that vmhost writes has `SECRET_NAME` in place
/// of the value, whether it appears plain, percent-encoded, JSON-escaped, or inside base64.
/// The same goes for each line of a value with several.
package struct Secrets: Sendable {
  /// The plugin whose view model gets a config.
  package struct Recipient: Sendable {
    let plugin: String
    /// Whether the session has no other plugin.
    let isOnly: Bool

    package init(plugin: String, isOnly: Bool) {
      self.plugin = plugin
      self.isOnly = isOnly
    }
  }

  private struct Key: Hashable {
    let name: String
    /// The id of the only plugin that may have the secret; nil for whichever a config names it for.
    let plugin: String?
  }

  static let prefix = "$secret:"
  private var values: [Key: String] = [:]
  /// Sorted by length, longest first, so that a secret inside another one doesn't cut it in two.
  private(set) var patterns: [SecretPattern] = []

  package init() {}

  package var isEmpty: Bool { values.isEmpty }
  package var names: Set<String> { Set(values.keys.map(\.name)) }
  /// The ids of the plugins that have secrets of their own.
  package var plugins: Set<String> { Set(values.keys.compactMap(\.plugin)) }

  /// The minimum length of a secret, in bytes. A shorter one would be found in ordinary text.
  package static let minBytes = 4

  /// Adds a secret.
  ///
  /// - Parameters:
  ///   - plugin: the id of the only plugin that may have it; nil if others may have it too.
  ///   - value: must not be empty.
  package mutating func add(_ name: String, for plugin: String? = nil, value: String) {
    precondition(!value.isEmpty, "an empty secret would be found everywhere")
    values[Key(name: name, plugin: plugin)] = value
    let replacement = Array(Self.placeholder(for: name).utf8)
    for bytes in SecretForms.all(of: value) {
      patterns.append(SecretPattern(bytes: bytes, replacement: replacement))
    }
    for part in SecretForms.encodedParts(of: value) {
      patterns.append(SecretPattern(bytes: part.bytes, replacement: replacement, part: part))
    }
    patterns.sort { $0.bytes.count > $1.bytes.count }
  }

  /// How users write a secret's name, for errors.
  package static let form = "NAME or PLUGIN:NAME"

  /// The parts of `NAME` or `PLUGIN:NAME`; nil for other text.
  package static func parts(of text: String) -> (plugin: String?, name: String)? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    return (parts.count == 2 ? String(parts[0]) : nil, String(parts[parts.count - 1]))
  }

  /// The text that replaces a secret in everything that is written. A plugin gets it too, for a
  /// secret that nobody gave.
  package static func placeholder(for name: String) -> String { "SECRET_\(name)" }

  /// These secrets, and the placeholders of those that nobody gave but the default configs of
  /// `viewModels` name.
  func withPlaceholders(for viewModels: [ViewModelManifest]) -> Secrets {
    var all = self
    let known = names
    for name in Set(viewModels.compactMap(\.configDefault).flatMap(Self.names))
    where !known.contains(name) {
      all.add(name, value: Self.placeholder(for: name))
    }
    return all
  }

  /// Replaces the names of secrets in a config by their values.
  ///
  /// It adds the members with secrets that the config leaves to the view model's default config. A
  /// secret that only the default config names and nobody gave is replaced by its placeholder, so
  /// that a session without it and a replay are alike.
  ///
  /// - Throws: `mistake`, if `config` itself names a secret that the plugin isn't given, or if only
  ///   the default config names one that might be meant for another plugin.
  package func resolve(
    _ config: JSONValue?, of viewModel: ViewModelManifest, for recipient: Recipient
  ) throws(SessionError) -> JSONValue? {
    try unresolved(config, of: viewModel, for: recipient)
      .map { resolved($0, for: recipient.plugin) }
  }

  /// A config that names all its secrets, also those of the view model's default config, but
  /// doesn't hold their values yet.
  func unresolved(
    _ config: JSONValue?, of viewModel: ViewModelManifest, for recipient: Recipient
  ) throws(SessionError) -> JSONValue? {
    let given = config.map(Self.names) ?? []
    if let missing = given.filter({ value(of: $0, for: recipient.plugin) == nil }).min() {
      throw self.missing(missing, for: recipient.plugin)
    }
    let completed = Self.completed(
      config, viewModel.configDefault, schema: viewModel.configSchema, wants: { _ in true })
    let added = (completed.map(Self.names) ?? []).subtracting(given)
    if let withheld = added.filter({ isWithheld($0, from: recipient) }).min() {
      throw SessionError(
        .mistake(.config),
        "the default config of \(viewModel.id) names the secret \"\(withheld)\". With several"
          + " plugins, say which may have it: --secret \(recipient.plugin):\(withheld)=VARIABLE.")
    }
    return completed
  }

  /// The error about a secret that a given config names.
  private func missing(_ name: String, for plugin: String) -> SessionError {
    let others = values.keys.filter { $0.name == name }.compactMap(\.plugin).sorted()
    let option = "--secret \(others.isEmpty ? "" : "\(plugin):")\(name)=VARIABLE"
    return SessionError(
      .mistake(.config),
      others.isEmpty
        ? "the config names the secret \"\(name)\", which is not given. Put it into a variable of"
          + " the environment and add \(option)."
        : "the config names the secret \"\(name)\", which only \(others.joined(separator: ", "))"
          + " may have. If \(plugin) may have it too, add \(option).")
  }

  /// Whether a default config isn't enough to get a secret: it was given to whichever plugin the
  /// user's config names it for, and there are several. What stands for a secret is no secret.
  private func isWithheld(_ name: String, from recipient: Recipient) -> Bool {
    guard !recipient.isOnly, values[Key(name: name, plugin: recipient.plugin)] == nil,
      let value = values[Key(name: name, plugin: nil)]
    else { return false }
    return value != Self.placeholder(for: name)
  }

  /// A config that names all given secrets it gets, also those of the view model's default config.
  func completed(
    _ config: JSONValue?, of viewModel: ViewModelManifest, for recipient: Recipient
  ) -> JSONValue? {
    Self.completed(
      config, viewModel.configDefault, schema: viewModel.configSchema,
      wants: { value(of: $0, for: recipient.plugin) != nil && !isWithheld($0, from: recipient) })
  }

  /// Adds to a config, or a part of one, the members that it leaves to its defaults and that name
  /// a secret which `wants` accepts.
  private static func completed(
    _ config: JSONValue?, _ defaults: JSONValue?, schema: JSONValue?, wants: (String) -> Bool
  ) -> JSONValue? {
    guard let defaults else { return config }
    guard let members = defaults.objectValue else {
      guard config == nil, names(in: defaults).contains(where: wants) else { return config }
      return defaults
    }
    guard var result = config == nil ? [:] : config?.objectValue else { return config }
    for (key, value) in members {
      let inner = schema?["properties"]?[key]
      // An object whose schema lists its members is merged with its default. Any other value
      // replaces its default.
      if result[key] != nil && inner?["properties"] == nil { continue }
      result[key] = completed(result[key], value, schema: inner, wants: wants)
    }
    guard config != nil || !result.isEmpty else { return nil }
    return .object(result)
  }

  private func resolved(_ value: JSONValue, for plugin: String) -> JSONValue {
    switch value {
    case .array(let items): return .array(items.map { resolved($0, for: plugin) })
    case .object(let members):
      return .object(members.mapValues { resolved($0, for: plugin) })
    default:
      return value.stringValue.flatMap { self.value(for: $0, in: plugin) }.map(JSONValue.string)
        ?? value
    }
  }

  /// The secret that a text names in a config of a plugin, or its placeholder; nil for other text.
  func value(for text: String, in plugin: String) -> String? {
    Self.name(in: text).map { value(of: $0, for: plugin) ?? Self.placeholder(for: $0) }
  }

  private func value(of name: String, for plugin: String) -> String? {
    values[Key(name: name, plugin: plugin)] ?? values[Key(name: name, plugin: nil)]
  }

  /// The names of the secrets that a config, or a part of one, asks for.
  package static func names(in config: JSONValue) -> Set<String> {
    switch config {
    case .array(let items): Set(items.flatMap(names))
    case .object(let members): Set(members.values.flatMap(names))
    default: Set([config.stringValue.flatMap(name)].compactMap(\.self))
    }
  }

  private static func name(in text: String) -> String? {
    text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
  }
}

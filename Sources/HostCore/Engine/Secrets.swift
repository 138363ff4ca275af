import Basics
import CanonicalJSON

/// Values that only a plugin may know.
///
/// A config names one as `"$secret:NAME"`. Everything that vmhost writes has `SECRET_NAME` in place
/// of the value, whether it appears plain, percent-encoded, JSON-escaped, or inside base64.
package struct Secrets: Sendable {
  private struct Pattern: Sendable {
    let bytes: [UInt8]
    let replacement: [UInt8]
    /// The part of longer base64 text that the bytes are; nil if they are the whole secret.
    var part: SecretForms.EncodedPart?

    /// The range to replace where the bytes were found.
    ///
    /// In longer base64 text, the characters after the secret are replaced too. They depend on the
    /// secret's length, so they would reveal it, and would differ in a replay.
    func extent(of found: Range<Int>, in bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
      guard let part else { return found }
      var (start, end) = (found.lowerBound, found.upperBound)
      if part.sharesFirst, start > range.lowerBound, SecretForms.isBase64(bytes[start - 1]) {
        start -= 1
      }
      while end < range.upperBound, SecretForms.isBase64(bytes[end]) { end += 1 }
      while end < range.upperBound, bytes[end] == UInt8(ascii: "=") { end += 1 }
      return start..<end
    }
  }

  static let prefix = "$secret:"
  private var values: [String: String] = [:]
  /// Sorted by length, longest first, so that a secret inside another one doesn't cut it in two.
  private var patterns: [Pattern] = []

  package init() {}

  package var isEmpty: Bool { values.isEmpty }
  package var names: Set<String> { Set(values.keys) }

  /// The minimum length of a secret, in bytes. A shorter one would be found in ordinary text.
  package static let minBytes = 4

  /// Adds a secret.
  ///
  /// - Parameter value: must not be empty.
  package mutating func add(_ name: String, value: String) {
    precondition(!value.isEmpty, "an empty secret would be found everywhere")
    values[name] = value
    let replacement = Array(Self.placeholder(for: name).utf8)
    for bytes in SecretForms.all(of: value) {
      patterns.append(Pattern(bytes: bytes, replacement: replacement))
    }
    for part in SecretForms.encodedParts(of: value) {
      patterns.append(Pattern(bytes: part.bytes, replacement: replacement, part: part))
    }
    patterns.sort { $0.bytes.count > $1.bytes.count }
  }

  /// The text that replaces a secret in everything that is written. A plugin gets it too, for a
  /// secret that nobody gave.
  package static func placeholder(for name: String) -> String { "SECRET_\(name)" }

  /// These secrets, and the placeholders of those that nobody gave but the default configs of
  /// `viewModels` name.
  func withPlaceholders(for viewModels: [ViewModelManifest]) -> Secrets {
    var all = self
    for name in Set(viewModels.compactMap(\.configDefault).flatMap(Self.names))
    where values[name] == nil {
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
  /// - Throws: `mistake`, if `config` itself names a secret that nobody gave.
  package func resolve(
    _ config: JSONValue?, of viewModel: ViewModelManifest
  ) throws(SessionError) -> JSONValue? {
    try unresolved(config, of: viewModel).map(resolved)
  }

  /// A config that names all its secrets, also those of the view model's default config, but
  /// doesn't hold their values yet.
  func unresolved(
    _ config: JSONValue?, of viewModel: ViewModelManifest
  ) throws(SessionError) -> JSONValue? {
    if let missing = config.map(Self.names)?.subtracting(values.keys).min() {
      throw SessionError(
        .mistake(.config),
        "the config names the secret \"\(missing)\", which is not given. Put it into a variable"
          + " of the environment and add --secret \(missing)=VARIABLE.")
    }
    return Self.completed(
      config, viewModel.configDefault, schema: viewModel.configSchema, wants: { _ in true })
  }

  /// A config that names all given secrets it gets, also those of the view model's default config.
  func completed(_ config: JSONValue?, of viewModel: ViewModelManifest) -> JSONValue? {
    Self.completed(
      config, viewModel.configDefault, schema: viewModel.configSchema,
      wants: { values[$0] != nil })
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

  private func resolved(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let items): return .array(items.map(resolved))
    case .object(let members): return .object(members.mapValues(resolved))
    default: return value.stringValue.flatMap(self.value).map(JSONValue.string) ?? value
    }
  }

  /// The secret that a text names, or its placeholder; nil for other text.
  func value(for text: String) -> String? {
    Self.name(in: text).map { values[$0] ?? Self.placeholder(for: $0) }
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

  /// A range of bytes, and what replaces it if it is a secret.
  private struct Piece {
    let range: Range<Int>
    var replacement: [UInt8]?
  }

  /// Replaces the secrets in `bytes`, from `start` on.
  ///
  /// The replacement of one secret is not searched for another one.
  package func redact(_ bytes: inout [UInt8], from start: Int = 0) {
    var pieces = [Piece(range: start..<bytes.count)]
    for pattern in patterns
    where Self.find(pattern.bytes, in: bytes, start..<bytes.count) != nil {
      pieces = pieces.flatMap { piece in
        piece.replacement == nil ? Self.split(piece.range, of: bytes, at: pattern) : [piece]
      }
    }
    guard pieces.count > 1 || pieces[0].replacement != nil else { return }
    var result = Array(bytes[..<start])
    for piece in pieces {
      result.append(contentsOf: piece.replacement.map { $0[...] } ?? bytes[piece.range])
    }
    bytes = result
  }

  private static func split(
    _ range: Range<Int>, of bytes: [UInt8], at pattern: Pattern
  ) -> [Piece] {
    var pieces: [Piece] = []
    var rest = range
    while let exact = find(pattern.bytes, in: bytes, rest) {
      let found = pattern.extent(of: exact, in: bytes, rest)
      pieces.append(Piece(range: rest.lowerBound..<found.lowerBound))
      pieces.append(Piece(range: found, replacement: pattern.replacement))
      rest = found.upperBound..<range.upperBound
    }
    return pieces + [Piece(range: rest)]
  }

  /// The text with its secrets replaced.
  package func redacted(_ text: String) -> String {
    guard !isEmpty else { return text }
    var bytes = Array(text.utf8)
    redact(&bytes)
    return String(repairing: bytes.span)
  }

  /// The value with its secrets replaced. A number that holds one becomes a string.
  func redacted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .string(redacted(text))
    case .number(let number):
      let text = redacted(number.description)
      return text == number.description ? value : .string(text)
    case .array(let elements): return .array(elements.map { redacted($0) })
    case .object(let members):
      let replaced = members.map { (redacted($0.key), redacted($0.value)) }
      return .object(Dictionary(replaced, uniquingKeysWith: { $1 }))
    case .null, .bool: return value
    }
  }

  /// Canonical JSON with its secrets replaced, which is canonical JSON again.
  func redactedJSON(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return bytes }
    var replaced = bytes
    redact(&replaced)
    guard replaced != bytes, let value = try? JSONValue(parsing: bytes.span) else {
      return replaced
    }
    var result: [UInt8] = []
    redacted(value).append(to: &result)
    // Some secrets only appear in the written form, such as one that is escaped twice.
    redact(&result)
    return result
  }

  private static func find(
    _ pattern: [UInt8], in bytes: [UInt8], _ range: Range<Int>
  ) -> Range<Int>? {
    var offset = range.lowerBound
    let span = bytes.span.extracting(0..<range.upperBound)
    while let candidate = span.firstIndex(of: pattern[0], from: offset) {
      let found = candidate..<candidate + pattern.count
      guard found.upperBound <= range.upperBound else { return nil }
      if span.extracting(found).equals(pattern.span) { return found }
      offset = candidate + 1
    }
    return nil
  }
}

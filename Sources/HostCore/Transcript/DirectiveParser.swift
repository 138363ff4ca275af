import CanonicalJSON

/// Reads a line that begins with `@`.
enum DirectiveParser {
  static func parse(_ line: Span<UInt8>) throws(ScriptError) -> ScriptCommand {
    let end = line.firstIndex(of: UInt8(ascii: " "), from: 0) ?? line.count
    let name = String(repairing: line.extracting(1..<end))
    var start = end
    JSONScanner.skipWhitespace(in: line, at: &start)
    let rest = TextLineParser.word(of: line, from: start)

    func one(_ what: String) throws(ScriptError) -> String {
      guard !rest.isEmpty else { throw ScriptError("@\(name): expected \(what).", at: line.count) }
      return rest
    }

    switch name {
    case "plugin": return .plugin(try one("a plugin, as in @plugin movies.so"))
    case "close": return .close(handle: try one("the handle of an instance"))
    case "locale": return .locale(try one("a locale, as in @locale en_US"))
    case "timezone": return .timeZone(try one("a time zone, as in @timezone UTC"))
    case "record": return .record(effect: try simulated(try one("an effect"), at: start))
    case "simulate": return .simulate(effect: try simulated(try one("an effect"), at: start))
    case "seed":
      guard let seed = UInt64(try one("a number")) else {
        throw ScriptError("\"\(rest)\" is not a seed, which is a number from 0 on.", at: start)
      }
      return .seed(seed)
    case "time":
      guard let time = Timestamp.parse(try one("a time")) else {
        throw ScriptError("\"\(rest)\" is not \(Timestamp.form).", at: start)
      }
      return .time(time)
    case "open": return try open(line, from: start)
    case "storage": return try storage(line, from: start)
    default:
      throw ScriptError(
        "there is no directive @\(name)."
          + NearestName.hint(for: name, among: TextLineParser.directives, prefix: "@"), at: 0)
    }
  }

  private static func simulated(
    _ effect: String, at offset: Int
  ) throws(ScriptError) -> String {
    guard SimulatedEffects.known.contains(effect) else {
      throw ScriptError(
        "\"\(effect)\" is not an effect that the engine simulates."
          + NearestName.hint(for: effect, among: SimulatedEffects.known.sorted()),
        at: offset)
    }
    return effect
  }

  /// `@open ID [as HANDLE] [CONFIG]`
  private static func open(_ line: Span<UInt8>, from start: Int) throws(ScriptError)
    -> ScriptCommand
  {
    guard start < line.count else {
      throw ScriptError("@open: expected a view model, as in @open movies.list.", at: line.count)
    }
    var (id, next) = word(of: line, from: start)
    var handle: String?
    if next < line.count && line[next] != UInt8(ascii: "{") {
      let (marker, afterMarker) = word(of: line, from: next)
      guard marker == "as", afterMarker < line.count else {
        throw ScriptError(
          "expected \"as HANDLE\", a config in braces, or nothing after \(id).", at: next)
      }
      (handle, next) = word(of: line, from: afterMarker)
    }
    let bytes = try TextLineParser.canonicalValue(of: line, from: next)
    let config = bytes.isEmpty ? nil : try? JSONValue(parsing: bytes.span)
    return .open(viewModel: id, handle: handle, config: config)
  }

  /// `@storage KEY JSON`; a key with blanks is written as a JSON string.
  private static func storage(
    _ line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> ScriptCommand {
    guard start < line.count else {
      throw ScriptError("@storage: expected a key and a value.", at: line.count)
    }
    var key: String
    var next = start
    if line[start] == UInt8(ascii: "\"") {
      do throws(JSONError) {
        let content = try JSONScanner.skipString(in: line, at: &next).content
        key = try CanonicalJSON.unescape(line.extracting(content))
      } catch {
        throw ScriptError("the key is not a JSON string: \(error.detail).", at: start)
      }
    } else {
      (key, next) = word(of: line, from: start)
    }
    let bytes = try TextLineParser.canonicalValue(of: line, from: next)
    guard let value = try? JSONValue(parsing: bytes.span) else {
      throw ScriptError("@storage \(key): expected a JSON value.", at: line.count)
    }
    return .store(key: key, value: value)
  }

  /// The word at `start`, and where the next one begins.
  private static func word(of line: Span<UInt8>, from start: Int) -> (String, next: Int) {
    let end = line.firstIndex(of: UInt8(ascii: " "), from: start) ?? line.count
    var next = end
    JSONScanner.skipWhitespace(in: line, at: &next)
    return (String(repairing: line.extracting(start..<end)), next)
  }
}

import Basics
import CanonicalJSON

/// Reads a line that begins with `@`.
enum DirectiveParser {
  static let names = [
    "plugin", "open", "close", "seed", "time", "locale", "timezone", "storage", "record",
    "simulate", "flow", "recorded", "end", "skip", "tags",
  ]

  static func parse(_ line: Span<UInt8>) throws(ScriptError) -> ScriptCommand {
    let end = try TextLineParser.endOfWord(line, from: 0)
    let name = String(repairing: line.extracting(1..<end))
    let start = try TextLineParser.skipBlanks(line, from: end)

    func argument(_ what: String) throws(ScriptError) -> String {
      let rest = try TextLineParser.rest(of: line, from: start)
      guard !rest.isEmpty else { throw ScriptError("@\(name): expected \(what).", at: line.count) }
      return rest
    }

    switch name {
    case "plugin": return .plugin(try argument("a plugin, as in @plugin movies.so"))
    case "close": return .close(handle: try argument("the handle of an instance"))
    case "locale":
      let text = try argument("a locale, as in @locale en_US")
      guard LocaleName.hasForm(text) else {
        throw ScriptError("\"\(text)\" is not \(LocaleName.form).", at: start)
      }
      return .locale(text)
    case "timezone":
      let text = try argument("a time zone, as in @timezone UTC")
      // A file means the same on every machine, also on one without that time zone.
      guard TimeZoneName.hasForm(text) else {
        throw ScriptError("\"\(text)\" is not \(TimeZoneName.form).", at: start)
      }
      return .timeZone(text)
    case "record": return .record(effect: try simulated(try argument("an effect"), at: start))
    case "simulate":
      return .simulate(effect: try simulated(try argument("an effect"), at: start))
    case "flow": return .flow(try argument("a file, as in @flow movies.json"))
    case "seed":
      let text = try argument("a number")
      guard let seed = TextLineParser.number(text) else {
        throw ScriptError(
          "\"\(text)\" is not a seed: use a whole number from 0 to"
            + " 18446744073709551615.", at: start)
      }
      return .seed(seed)
    case "time":
      let text = try argument("a time")
      guard let time = Timestamp.parse(text) else {
        throw ScriptError("\"\(text)\" is not \(Timestamp.form).", at: start)
      }
      return .time(time)
    case "open": return try open(line, from: start)
    case "storage": return try storage(line, from: start)
    case "skip":
      return .skip(reason: try argument("a reason, as in @skip waits for the new server"))
    case "tags": return .tags(try tags(argument("a tag, as in @tags slow network"), at: start))
    case "recorded": return .recorded(try recorded(line, from: start))
    case "end":
      guard start == line.count else { throw ScriptError("nothing may follow @end.", at: start) }
      return .end
    default:
      throw ScriptError(
        "there is no directive @\(name)."
          + NearestName.hint(for: name, among: names, prefix: "@"), at: 0)
    }
  }

  private static func simulated(
    _ effect: String, at offset: Int
  ) throws(ScriptError) -> String {
    guard SimulatedEffect(rawValue: effect) != nil else {
      throw ScriptError(
        "\"\(effect)\" is not an effect that the engine simulates."
          + NearestName.hint(for: effect, among: SimulatedEffect.names),
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
    var (id, next) = try word(of: line, from: start)
    var handle: String?
    if next < line.count, !startsValue(line, next) {
      let (keyword, afterKeyword) = try word(of: line, from: next)
      guard keyword == "as", afterKeyword < line.count else {
        throw ScriptError(
          "expected \"as HANDLE\", a config in braces, or nothing after \(id).", at: next)
      }
      (handle, next) = try word(of: line, from: afterKeyword)
    }
    let config = try TextLineParser.decodedValue(of: line, from: next)
    return .open(viewModel: id, handle: handle, config: config)
  }

  /// Whether the text at `start` is meant to be JSON. Of words, only the three literals are.
  private static func startsValue(_ line: Span<UInt8>, _ start: Int) -> Bool {
    let end = line.firstIndex(of: TextLineParser.space, from: start) ?? line.count
    if line[start].isASCIILetter {
      return ["true", "false", "null"].contains(String(repairing: line.extracting(start..<end)))
    }
    return true
  }

  /// `@storage KEY [JSON]`; a key with blanks is written as a JSON string.
  private static func storage(
    _ line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> ScriptCommand {
    guard start < line.count else {
      throw ScriptError("@storage: expected a key, as in @storage recents [].", at: line.count)
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
      guard next == line.count || line[next] == TextLineParser.space else {
        throw ScriptError("expected a space after the key.", at: next)
      }
    } else {
      (key, next) = try word(of: line, from: start)
    }
    return .store(key: key, value: try TextLineParser.decodedValue(of: line, from: next))
  }

  /// The tags in the rest of a line.
  private static func tags(_ text: String, at start: Int) throws(ScriptError) -> [String] {
    var offset = start
    var tags: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      guard word.allSatisfy(isPartOfTag) else {
        let tags = word.split { !isPartOfTag($0) }.joined(separator: " ")
        throw ScriptError(
          "\"\(word)\" is not a tag: a tag has only letters, digits, hyphens and underscores."
            + (tags.isEmpty ? "" : " Did you mean \"\(tags)\"?"), at: offset)
      }
      if !word.isEmpty { tags.append(String(word)) }
      offset += word.utf8.count + 1
    }
    return tags
  }

  private static func isPartOfTag(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "-" || character == "_"
  }

  /// `@recorded JSON`, an object.
  private static func recorded(
    _ line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> JSONValue {
    guard let value = try TextLineParser.decodedValue(of: line, from: start),
      value.objectValue != nil
    else {
      throw ScriptError("@recorded: expected an object, as in @recorded {}.", at: start)
    }
    return value
  }

  /// The word at `start`, and the offset of the next one.
  private static func word(
    of line: Span<UInt8>, from start: Int
  ) throws(ScriptError) -> (String, next: Int) {
    let end = try TextLineParser.endOfWord(line, from: start)
    let next = try TextLineParser.skipBlanks(line, from: end)
    return (String(repairing: line.extracting(start..<end)), next)
  }
}

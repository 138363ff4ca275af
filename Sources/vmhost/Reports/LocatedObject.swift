import CanonicalJSON
import HostCore

/// A JSON object with the offsets of its members, for errors that point to them.
struct LocatedObject {
  struct Member {
    let name: String
    let nameOffset: Int
    let value: JSONValue
    let offset: Int
  }

  static let secondsForm = "a number of seconds from 0 to 1000000"

  let members: [Member]

  /// - Parameter what: the subject of an error, such as "this line".
  /// - Throws: a `ScriptError` if the bytes aren't a JSON object.
  init(parsing json: Span<UInt8>, what: String) throws(ScriptError) {
    do throws(JSONError) {
      var end = 0
      // The code below relies on the whole text being valid.
      _ = try JSONScanner.skipValue(in: json, at: &end)
      JSONScanner.skipWhitespace(in: json, at: &end)
      guard end == json.count else {
        throw JSONError(
          code: .trailingData, offset: end, detail: "expected its end after the first value")
      }
      var offset = 0
      JSONScanner.skipWhitespace(in: json, at: &offset)
      guard json[offset] == UInt8(ascii: "{") else {
        throw JSONError(code: .unexpectedByte, offset: offset, detail: "expected an object")
      }
      members = try Self.members(of: json, at: offset)
    } catch {
      throw ScriptError("\(what) is invalid: \(error.detail).", at: error.offset)
    }
  }

  private static func members(of json: Span<UInt8>, at start: Int) throws(JSONError) -> [Member] {
    var members: [Member] = []
    var offset = start
    while let (key, range) = try JSONScanner.nextMember(in: json, at: &offset) {
      members.append(
        Member(
          name: try CanonicalJSON.unescape(json.extracting(key.content)),
          nameOffset: key.quoted.lowerBound, value: try value(json, range),
          offset: range.lowerBound))
    }
    return members
  }

  private static func value(
    _ json: Span<UInt8>, _ range: Range<Int>
  ) throws(JSONError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: json.extracting(range))
    } catch {
      throw JSONError(
        code: error.code, offset: range.lowerBound + error.offset, detail: error.detail)
    }
  }

  // MARK: Members of a known kind

  /// The member with a name; nil if there is none.
  ///
  /// - Throws: a `ScriptError` if there are two.
  func member(_ name: String) throws(ScriptError) -> Member? {
    let found = members.filter { $0.name == name }
    guard found.count < 2 else {
      throw ScriptError("\"\(name)\" appears twice.", at: found[1].nameOffset)
    }
    return found.first
  }

  func string(_ name: String) throws(ScriptError) -> String? {
    try read(name, as: "a string") { $0.value.stringValue }
  }

  /// A whole number that isn't negative.
  func count(_ name: String) throws(ScriptError) -> Int? {
    try read(name, as: "a whole number from 0 on") { member in
      member.value.intValue.flatMap { $0 >= 0 ? $0 : nil }
    }
  }

  func seconds(_ name: String) throws(ScriptError) -> Nanoseconds? {
    try read(name, as: Self.secondsForm, \.seconds)
  }

  /// The member with a name as `parse` converts it; nil if there is none.
  ///
  /// - Parameter form: a description of valid values, for the error.
  /// - Throws: a `ScriptError` if there are two, or if `parse` returns nil.
  func read<Value>(
    _ name: String, as form: String, _ parse: (Member) -> Value?
  ) throws(ScriptError) -> Value? {
    guard let member = try member(name) else { return nil }
    guard let value = parse(member) else {
      throw ScriptError("\"\(name)\" must be \(form).", at: member.offset)
    }
    return value
  }
}

extension LocatedObject.Member {
  /// The number of seconds as a time; nil if it isn't as `secondsForm` says.
  var seconds: Nanoseconds? {
    guard let seconds = value.doubleValue, seconds >= 0, seconds <= 1_000_000 else { return nil }
    return Nanoseconds((seconds * 1e9).rounded())
  }
}

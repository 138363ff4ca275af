import CanonicalJSON

/// The readers of JSON, through which all goes that a plugin says.
enum JSONTarget {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let canonical = result { () throws(JSONError) in try CanonicalJSON.bytes(input.span) }
    let value = result { () throws(JSONError) in try JSONValue(parsing: input.span) }
    switch (canonical, value) {
    case (.success(let canonical), .success(let value)):
      try check(canonical, of: value)
    case (.failure(let one), .failure(let other)):
      // After a key that appears twice, one of them may meet another error first.
      try require(
        one.code == other.code || one.code == .duplicateKey || other.code == .duplicateKey,
        "both readers refuse for the same reason: \(one), \(other)")
    case (.success, .failure(let error)):
      // A Swift dictionary can't hold keys that differ only in normalisation.
      try require(error.code == .duplicateKey, "both readers accept the same: \(error)")
    case (.failure(let error), .success):
      throw FuzzFinding("both readers accept the same: \(error)")
    }
  }

  private static func result<Value>(
    _ read: () throws(JSONError) -> Value
  ) -> Result<Value, JSONError> {
    do throws(JSONError) { return .success(try read()) } catch { return .failure(error) }
  }

  private static func check(
    _ canonical: [UInt8], of value: JSONValue
  ) throws(FuzzFinding) {
    try require(
      canonical == Array(value.canonicalText.utf8), "both readers give the same canonical text")
    let again = try? CanonicalJSON.bytes(canonical.span)
    try require(again == canonical, "canonical text is its own canonical form")
    let same = try? JSONValue(parsing: canonical.span)
    try require(same == value, "canonical text has the same value")
    guard let pretty = try? CanonicalJSON.pretty(canonical.span, indent: 0) else {
      throw FuzzFinding("canonical text can be laid out")
    }
    let back = try? CanonicalJSON.bytes(pretty.span)
    try require(back == canonical, "what is laid out reads back")
  }
}

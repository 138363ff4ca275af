import Basics

extension CanonicalJSON {
  /// The document in canonical order, laid out for people to read and compare.
  ///
  /// Each level is indented by two spaces, and every line but the first by `indent` more. Empty
  /// containers are `[]` and `{}`. An array of scalars stays on one line if that has at most 80
  /// columns.
  package static func pretty(_ json: Span<UInt8>, indent: Int) throws(JSONError) -> [UInt8] {
    let canonical = try bytes(json)
    var output: [UInt8] = []
    output.reserveCapacity(canonical.count * 2)
    var offset = 0
    try appendPretty(canonical.span, at: &offset, to: &output, indent: indent)
    return output
  }

  private static func appendPretty(
    _ json: Span<UInt8>, at offset: inout Int, to output: inout [UInt8], indent: Int
  ) throws(JSONError) {
    let start = offset
    let opening = json[offset]
    let isContainer = opening == 0x5B || opening == 0x7B
    guard isContainer, json[offset + 1] != opening + 2 else {
      _ = try JSONScanner.skipValue(in: json, at: &offset)
      output.append(json.extracting(start..<offset))
      return
    }
    if opening == 0x5B {
      let column = columns(output.reversed().prefix { $0 != 0x0A })
      if let line = try scalarLine(json, at: &offset, from: column) {
        output += line
        return
      }
    }
    output.append(opening)
    var ends = false
    while !ends {
      offset += 1
      appendLineBreak(indent: indent + 2, to: &output)
      if opening == 0x7B {
        let key = offset
        _ = try JSONScanner.skipString(in: json, at: &offset)
        output.append(json.extracting(key..<offset))
        output.append(contentsOf: ": ".utf8)
        offset += 1
      }
      try appendPretty(json, at: &offset, to: &output, indent: indent + 2)
      ends = json[offset] != 0x2C
      if !ends { output.append(0x2C) }
    }
    appendLineBreak(indent: indent, to: &output)
    output.append(opening + 2)
    offset += 1
  }

  private static func appendLineBreak(indent: Int, to output: inout [UInt8]) {
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: indent))
  }

  /// Moves past an array and returns it on one line. If it has containers, or is too long for the
  /// rest of the line, doesn't move and returns nil.
  private static func scalarLine(
    _ json: Span<UInt8>, at offset: inout Int, from column: Int
  ) throws(JSONError) -> [UInt8]? {
    var line: [UInt8] = [0x5B]
    var position = offset
    while try JSONScanner.nextElement(in: json, at: &position) {
      guard json[position] != 0x5B, json[position] != 0x7B else { return nil }
      if line.count > 1 { line.append(contentsOf: ", ".utf8) }
      let start = position
      _ = try JSONScanner.skipValue(in: json, at: &position)
      line.append(json.extracting(start..<position))
      guard column + columns(line) < 80 else { return nil }
    }
    offset = position
    return line + [0x5D]
  }

  /// The number of Unicode scalars in a line.
  private static func columns(_ line: some Sequence<UInt8>) -> Int {
    line.count { $0 & 0xC0 != 0x80 }
  }
}

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
    if opening == 0x5B, try appendScalarLine(json, at: &offset, to: &output) { return }
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

  /// Appends an array to the current line if it has only scalars and fits. Otherwise changes
  /// nothing and returns false.
  private static func appendScalarLine(
    _ json: Span<UInt8>, at offset: inout Int, to output: inout [UInt8]
  ) throws(JSONError) -> Bool {
    let mark = output.count
    let lineStart = (output.lastIndex(of: 0x0A) ?? -1) + 1
    var position = offset
    var fits = true
    repeat {
      output.append(contentsOf: (position == offset ? "[" : ", ").utf8)
      position += 1
      let start = position
      fits = json[start] != 0x5B && json[start] != 0x7B
      if fits {
        _ = try JSONScanner.skipValue(in: json, at: &position)
        output.append(json.extracting(start..<position))
        fits = columns(output[lineStart...]) < 80
      }
    } while fits && json[position] == 0x2C
    guard fits else {
      output.removeLast(output.count - mark)
      return false
    }
    output.append(0x5D)
    offset = position + 1
    return true
  }

  /// The number of Unicode scalars in a line.
  private static func columns(_ line: ArraySlice<UInt8>) -> Int {
    line.count { $0 & 0xC0 != 0x80 }
  }
}

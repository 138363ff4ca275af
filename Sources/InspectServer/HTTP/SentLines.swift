import HostCore

/// The lines that a page sends.
package enum SentLines {
  /// Checks a body, so that each of its lines arrives as one. Whoever gets the lines reads the
  /// JSON.
  ///
  /// - Returns: the lines, each with its line feed.
  package static func checked(_ body: [UInt8]) throws(RequestMistake) -> [UInt8] {
    var lines = body
    if lines.last != 0x0A { lines.append(0x0A) }
    let bytes = lines.span
    guard (try? UTF8Span(validating: bytes)) != nil else {
      throw RequestMistake(.badRequest, "The lines are not UTF-8.")
    }
    var start = 0
    var number = 1
    while start < bytes.count, let end = bytes.firstIndex(of: 0x0A, from: start) {
      try check(bytes.extracting(start..<end), number)
      start = end + 1
      number += 1
    }
    return lines
  }

  private static func check(_ line: Span<UInt8>, _ number: Int) throws(RequestMistake) {
    guard line.count >= 2, line[0] == UInt8(ascii: "{"),
      line[line.count - 1] == UInt8(ascii: "}")
    else {
      throw RequestMistake(.badRequest, "Line \(number) is not a JSON object.")
    }
    for index in line.indices where line[index] < 0x20 {
      throw RequestMistake(.badRequest, "Line \(number) has a control character.")
    }
  }
}

/// Reads requests of HTTP/1.1 from the bytes of a connection, however these are cut.
///
/// It is stricter than RFC 9112 allows: only CR LF ends a line, nothing is folded, no body is
/// chunked, and a header that the server reads comes once. A mistake is the last thing that it
/// finds in a connection, so nobody can disagree with it about where a request ends.
package struct RequestParser: Sendable {
  package enum Part: Equatable, Sendable {
    case head(RequestHead)
    /// Follows each head. It is empty if the request has no body.
    case body([UInt8])
  }

  package static let maxRequestLineBytes = 8 << 10
  package static let maxHeaderBytes = 16 << 10
  package static let maxHeaders = 100
  package static let maxBodyBytes = 16 << 20

  private enum State {
    case requestLine, headers, body
  }

  /// What has arrived and isn't read yet.
  private var input: [UInt8] = []
  private var position = 0
  private var state = State.requestLine
  /// The current line so far, without CR LF.
  private var line: [UInt8] = []
  private var hasReturn = false
  private var headerBytes = 0
  private var headerCount = 0
  private var head = RequestHead()
  private var body: [UInt8] = []

  package init() {}

  /// Whether a request has begun and isn't complete.
  package var isInside: Bool {
    state != .requestLine || !line.isEmpty || hasReturn || position < input.count
  }

  /// Adds bytes that have arrived.
  package mutating func receive(_ bytes: [UInt8]) {
    if position == input.count {
      input = bytes
    } else {
      input.removeFirst(position)
      input += bytes
    }
    position = 0
  }

  /// The next part of a request, or nil if more bytes are needed.
  ///
  /// - Throws: the first mistake. Nothing follows it.
  package mutating func next() throws(RequestMistake) -> Part? {
    if state == .body { return takeBody() }
    while position < input.count {
      let byte = input[position]
      position += 1
      guard try takeLineByte(byte) else { continue }
      defer { line.removeAll(keepingCapacity: true) }
      if state == .requestLine {
        head = RequestHead()
        try takeRequestLine()
        state = .headers
        (headerBytes, headerCount) = (0, 0)
      } else if line.isEmpty {
        try frame()
        state = .body
        body = []
        return .head(head)
      } else {
        try takeHeader()
      }
    }
    return nil
  }

  // MARK: - Lines

  /// - Returns: whether the byte ends the line.
  private mutating func takeLineByte(_ byte: UInt8) throws(RequestMistake) -> Bool {
    try count()
    if hasReturn {
      guard byte == 0x0A else { throw Self.badLineEnd }
      hasReturn = false
      return true
    }
    switch byte {
    case 0x0D: hasReturn = true
    case 0x0A: throw Self.badLineEnd
    case 0x20...0x7E: line.append(byte)
    case 0x09 where state == .headers: line.append(byte)
    default:
      throw RequestMistake(.badRequest, "A request has only printable ASCII before its body.")
    }
    return false
  }

  private static let badLineEnd = RequestMistake(
    .badRequest, "A line of a request ends with CR LF, and has neither in itself.")

  private mutating func count() throws(RequestMistake) {
    if state == .requestLine {
      guard line.count <= Self.maxRequestLineBytes else {
        throw RequestMistake(.targetTooLong, "The request line has more than 8 KB.")
      }
    } else {
      headerBytes += 1
      guard headerBytes <= Self.maxHeaderBytes else {
        throw RequestMistake(.headersTooLarge, "The headers have more than 16 KB.")
      }
    }
  }

  private mutating func takeRequestLine() throws(RequestMistake) {
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, Self.isToken(words[0]), !words[1].isEmpty else {
      throw RequestMistake(
        .badRequest, "A request begins with a method, a path and HTTP/1.1, with one space between.")
    }
    guard words[2].elementsEqual("HTTP/1.1".utf8) else {
      guard words[2].starts(with: "HTTP/".utf8) else {
        throw RequestMistake(.badRequest, "The request line doesn't end with HTTP/1.1.")
      }
      throw RequestMistake(.versionNotSupported, "This server speaks HTTP/1.1.")
    }
    guard words[1].first == UInt8(ascii: "/") else {
      throw RequestMistake(.badRequest, "The target of a request is a path.")
    }
    head.method = Array(words[0])
    head.target = Array(words[1])
  }

  private mutating func takeHeader() throws(RequestMistake) {
    headerCount += 1
    guard headerCount <= Self.maxHeaders else {
      throw RequestMistake(.headersTooLarge, "There are more than 100 headers.")
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else {
      throw RequestMistake(
        .badRequest, "A header is a name, a colon right after it, and a value, on one line.")
    }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    guard let header = RequestHead.Header(rawValue: name) else { return }
    let value = line[(colon + 1)...].drop { Self.isBlank($0) }
    let end = value.lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? value.startIndex
    guard head.headers.updateValue(Array(value[..<end]), forKey: header) == nil else {
      throw RequestMistake(.badRequest, "\(header.title) comes twice.")
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  // MARK: - Bodies

  /// Finds out how long the body is.
  private mutating func frame() throws(RequestMistake) {
    let length = head[.contentLength]
    if head[.transferEncoding] != nil {
      guard length == nil else {
        throw RequestMistake(
          .badRequest, "A request has either Content-Length or Transfer-Encoding.")
      }
      throw RequestMistake(.lengthRequired, "A body needs Content-Length; it can't be chunked.")
    }
    guard let length else { return }
    guard !length.isEmpty, length.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw RequestMistake(.badRequest, "Content-Length is not a number of bytes.")
    }
    let significant = length.drop { $0 == 0x30 }
    let count = significant.count > 8 ? .max : significant.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard count <= Self.maxBodyBytes else {
      throw RequestMistake(.bodyTooLarge, "The body has more than 16 MB.")
    }
    head.bodyCount = count
  }

  private mutating func takeBody() -> Part? {
    let missing = (head.bodyCount ?? 0) - body.count
    let taken = min(missing, input.count - position)
    if taken > 0 {
      if body.isEmpty { body.reserveCapacity(missing) }
      body += input[position..<position + taken]
      position += taken
    }
    guard taken == missing else { return nil }
    state = .requestLine
    defer { body = [] }
    return .body(body)
  }
}

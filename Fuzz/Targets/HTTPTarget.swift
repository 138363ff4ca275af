import InspectServer

/// What somebody sends to the server of a live page.
///
/// The first byte says how many further bytes are sizes of the pieces in which the rest arrives.
enum HTTPTarget {
  private static let port: UInt16 = 8080
  private static let secret = "00112233445566778899aabbccddeeff"
  private static let policy = RequestPolicy(port: port, secret: secret)

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let sizes = (0..<reader.number(below: 16)).map { _ in 1 + reader.number(below: 255) }
    let bytes = reader.remaining()
    let whole = try read(bytes, [])
    let cut = try read(bytes, sizes)
    try require(cut == whole, "requests are the same however they are cut")
    let single = try read(bytes, [1])
    try require(single == whole, "requests are the same byte by byte")
    for request in whole.requests { try check(request, bytes) }
  }

  /// What a server finds in a connection.
  private struct Findings: Equatable {
    struct Request: Equatable {
      let head: RequestHead
      var body: [UInt8]?
      /// What it is refused with, or nil.
      let refusal: RequestMistake?
    }

    var requests: [Request] = []
    var mistake: RequestMistake?
    var isInside = false
  }

  /// - Parameter sizes: the sizes of the pieces, over and over; empty for one piece.
  private static func read(_ bytes: [UInt8], _ sizes: [Int]) throws(FuzzFinding) -> Findings {
    var findings = Findings()
    var parser = RequestParser()
    var position = 0
    var piece = 0
    do {
      while position < bytes.count {
        let size = sizes.isEmpty ? bytes.count : sizes[piece % sizes.count]
        let end = min(position + size, bytes.count)
        parser.receive(Array(bytes[position..<end]))
        (position, piece) = (end, piece + 1)
        while let part = try parser.next() {
          try take(part, &findings)
          // The connection of a refused request is closed.
          if findings.requests.last?.refusal != nil { return findings }
        }
      }
      findings.isInside = parser.isInside
    } catch let mistake as RequestMistake {
      findings.mistake = mistake
    } catch let finding as FuzzFinding {
      throw finding
    } catch { throw FuzzFinding("nothing else is thrown: \(error)") }
    return findings
  }

  private static func take(
    _ part: RequestParser.Part, _ findings: inout Findings
  ) throws(FuzzFinding) {
    switch part {
    case .head(let head):
      let refusal = result { () throws(RequestMistake) in try policy.service(for: head) }
      findings.requests.append(.init(head: head, refusal: refusal))
    case .body(let body):
      let last = findings.requests.count - 1
      try require(last >= 0 && findings.requests[last].body == nil, "a body follows its head")
      let count = findings.requests[last].head.bodyCount ?? 0
      try require(body.count == count, "a body has the bytes that its head says")
      findings.requests[last].body = body
    }
  }

  private static func result(
    _ check: () throws(RequestMistake) -> RequestPolicy.Service
  ) -> RequestMistake? {
    do throws(RequestMistake) {
      _ = try check()
      return nil
    } catch { return error }
  }

  private static func check(
    _ request: Findings.Request, _ bytes: [UInt8]
  ) throws(FuzzFinding) {
    let head = request.head
    try require(head.target.first == UInt8(ascii: "/"), "a target is a path")
    try require(
      head.headers[.transferEncoding] == nil, "a body that isn't counted is no request")
    for value in head.headers.values {
      try require(
        value.allSatisfy { $0 == 9 || (0x20...0x7E).contains($0) }, "a value is one line")
    }
    guard request.refusal == nil else { return }
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"].map { Array($0.utf8) }
    try require(head[.host].map(hosts.contains) == true, "who is served asked for this host")
    let target = String(decoding: head.target, as: UTF8.self)
    try require(["/", "/events", "/lines"].contains(target), "nothing else is served")
    let knows = head[.secret] == Array(secret.utf8)
    try require(target == "/" || knows, "only who knows the secret gets the session")
    if let origin = head[.origin], let host = head[.host] {
      try require(origin == Array("http://".utf8) + host, "no other page is served")
    }
    guard target == "/lines", let body = request.body,
      let lines = try? SentLines.checked(body)
    else { return }
    try require(lines.last == 0x0A, "lines end with a line feed")
    for line in lines.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      try require(
        line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}"), "each is an object")
      try require(line.allSatisfy { $0 >= 0x20 }, "no line has a control character")
    }
  }
}

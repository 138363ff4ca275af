/// Decides which requests are served.
package struct RequestPolicy: Sendable {
  package enum Service: Equatable, Sendable {
    case page
    /// The events after the one with this number.
    case events(after: Int)
    case lines
  }

  private let hosts: [String]
  private let secret: [UInt8]

  package init(port: UInt16, secret: String) {
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    self.secret = Array(secret.utf8)
  }

  /// What a request asks for.
  ///
  /// - Throws: the first reason not to serve it.
  package func service(for head: RequestHead) throws(RequestMistake) -> Service {
    try checkSender(head)
    guard head[.upgrade] == nil else {
      throw RequestMistake(.badRequest, "This server speaks nothing but HTTP/1.1.")
    }
    guard head[.expect] == nil else {
      throw RequestMistake(.expectationFailed, "Send the body without waiting.")
    }
    let target = String(decoding: head.target, as: UTF8.self)
    switch target {
    case "/":
      try checkMethod(head, "GET", target)
      return .page
    case "/events":
      try checkMethod(head, "GET", target)
      try checkSecret(head)
      return .events(after: try lastEvent(head))
    case "/lines":
      try checkMethod(head, "POST", target)
      try checkSecret(head)
      try checkLines(head)
      return .lines
    default: throw RequestMistake(.notFound, "There are only /, /events and /lines.")
    }
  }

  /// Refuses what the pages of others make a browser send. A page that has resolved its own name to
  /// this machine is found out by Host.
  private func checkSender(_ head: RequestHead) throws(RequestMistake) {
    guard let host = head[.host] else { throw RequestMistake(.badRequest, "Host is missing.") }
    guard let host = hosts.first(where: { Array($0.utf8) == host }) else {
      throw RequestMistake(.forbidden, "Host must be \(hosts[0]) or \(hosts[1]).")
    }
    guard head[.origin] == nil || head.has(.origin, "http://\(host)") else {
      throw RequestMistake(.forbidden, "The page of another origin is refused.")
    }
    // A link on another site may open the page, but nothing may embed or fetch it.
    let isOwn = head[.fetchSite] == nil || head.has(.fetchSite, "same-origin")
    let isOpened =
      head.has(.fetchSite, "none")
      || head.has(.fetchDestination, "document")
        && head.target == [UInt8(ascii: "/")]
    guard isOwn || isOpened else {
      throw RequestMistake(.forbidden, "The page of another site is refused.")
    }
  }

  private func checkMethod(
    _ head: RequestHead, _ method: String, _ target: String
  ) throws(RequestMistake) {
    guard head.method == Array(method.utf8) else {
      throw RequestMistake(
        .methodNotAllowed, "The method for \(target) is \(method).", allowed: method)
    }
    guard method == "POST" || (head.bodyCount ?? 0) == 0 else {
      throw RequestMistake(.badRequest, "A \(method) has no body.")
    }
  }

  /// The time that it takes depends only on the length of what was sent.
  private func checkSecret(_ head: RequestHead) throws(RequestMistake) {
    let sent = head[.secret] ?? []
    var difference = sent.count ^ secret.count
    for (index, byte) in sent.enumerated() {
      difference |= Int(byte ^ secret[index % secret.count])
    }
    guard difference == 0 else {
      throw RequestMistake(
        .forbidden, "X-Vmhost-Secret is not the secret in the page's address.")
    }
  }

  private func lastEvent(_ head: RequestHead) throws(RequestMistake) -> Int {
    guard let value = head[.lastEventID] else { return 0 }
    guard (1...18).contains(value.count), value.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw RequestMistake(.badRequest, "Last-Event-ID is not the number of an event.")
    }
    return value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private func checkLines(_ head: RequestHead) throws(RequestMistake) {
    guard head[.origin] != nil || head.has(.fetchSite, "same-origin") else {
      throw RequestMistake(.forbidden, "Lines need Origin: who sends them must say so.")
    }
    guard head.has(.contentType, "application/x-ndjson") else {
      throw RequestMistake(.unsupportedMediaType, "The type of lines is application/x-ndjson.")
    }
    guard head.bodyCount != nil else {
      throw RequestMistake(.lengthRequired, "Lines need Content-Length.")
    }
  }
}

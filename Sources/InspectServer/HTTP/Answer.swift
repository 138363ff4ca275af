/// The bytes of an answer.
enum Answer {
  /// What a browser has to know of each answer: keep nothing, guess no type, tell nobody the
  /// address, and let no other site embed it.
  private static let everywhere = """
    Cache-Control: no-store\r
    X-Content-Type-Options: nosniff\r
    Referrer-Policy: no-referrer\r
    Cross-Origin-Resource-Policy: same-origin\r
    Cross-Origin-Opener-Policy: same-origin\r
    X-Frame-Options: DENY\r
    Content-Security-Policy: frame-ancestors 'none'\r

    """

  /// The head of the page, whose bytes follow.
  static func page(count: Int, closes: Bool) -> [UInt8] {
    head(.ok, ["Content-Type: text/html; charset=utf-8", "Content-Length: \(count)"], closes)
  }

  /// The head of a stream of events, which ends with the connection.
  static let events = head(.ok, ["Content-Type: text/event-stream"], true)

  static func taken(closes: Bool) -> [UInt8] { head(.noContent, [], closes) }

  static func mistake(_ mistake: RequestMistake) -> [UInt8] {
    let text = Array("\(mistake.message)\n".utf8)
    var fields = ["Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.count)"]
    if let allowed = mistake.allowed { fields.append("Allow: \(allowed)") }
    return head(mistake.status, fields, true) + text
  }

  private static func head(_ status: Status, _ fields: [String], _ closes: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n"
    for field in fields { text += "\(field)\r\n" }
    text += everywhere
    if closes { text += "Connection: close\r\n" }
    return Array("\(text)\r\n".utf8)
  }
}

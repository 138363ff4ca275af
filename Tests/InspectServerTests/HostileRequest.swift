/// A request that isn't served, and the answer to it.
struct HostileRequest {
  let name: String
  /// Lines end with CR LF. ␊, ␍ and ␀ are a bare line feed, carriage return and zero. @HOST@,
  /// @PORT@ and @SECRET@ are those of the server.
  let text: String
  let status: String
  let message: String

  init(_ name: String, _ text: String, _ status: String, _ message: String) {
    self.name = name
    self.text = text
    self.status = status
    self.message = message
  }

  func bytes(for page: LivePage) -> [UInt8] {
    let replacements = [
      ("\n", "\r\n"), ("␊", "\n"), ("␍", "\r"), ("␀", "\0"), ("@HOST@", page.host),
      ("@PORT@", "\(page.port)"), ("@SECRET@", page.secret),
    ]
    return Array(replacements.reduce(text) { $0.replacing($1.0, with: $1.1) }.utf8)
  }

  // MARK: - Parts of requests

  private static let forbidden = "403 Forbidden"
  private static let bad = "400 Bad Request"
  private static let tooLong = "431 Request Header Fields Too Large"
  private static let badLine =
    "A request begins with a method, a path and HTTP/1.1, with one space between."
  private static let badEnd = "A line of a request ends with CR LF, and has neither in itself."
  private static let notASCII = "A request has only printable ASCII before its body."
  private static let badHeader =
    "A header is a name, a colon right after it, and a value, on one line."
  private static let badLength = "Content-Length is not a number of bytes."
  private static let notFound = "There are only /, /events and /lines."
  private static let otherHost = "Host must be 127.0.0.1:@PORT@ or localhost:@PORT@."
  private static let otherOrigin = "The page of another origin is refused."
  private static let otherSite = "The page of another site is refused."
  private static let noSecret = "X-Vmhost-Secret is not the secret in the page's address."

  private static func get(_ headers: String...) -> String {
    "GET / HTTP/1.1\nHost: @HOST@\n" + headers.map { $0 + "\n" }.joined() + "\n"
  }

  /// A whole request to /lines, but for what is named.
  private static func post(
    _ headers: String..., secret: String = "X-Vmhost-Secret: @SECRET@\n",
    origin: String = "Origin: http://@HOST@\n",
    type: String = "Content-Type: application/x-ndjson\n", length: String = "Content-Length: 8\n",
    body: String = "{\"n\":1}␊"
  ) -> String {
    "POST /lines HTTP/1.1\nHost: @HOST@\n\(secret)\(origin)\(type)\(length)"
      + headers.map { $0 + "\n" }.joined() + "\n" + body
  }

  // MARK: - Other pages

  static let ofOtherPages: [HostileRequest] = [
    .init("no Host", "GET / HTTP/1.1\n\n", bad, "Host is missing."),
    .init("an empty Host", "GET / HTTP/1.1\nHost:\n\n", forbidden, otherHost),
    .init(
      "Host twice", "GET / HTTP/1.1\nHost: @HOST@\nHost: @HOST@\n\n", bad, "Host comes twice."),
    .init("a rebound name", "GET / HTTP/1.1\nHost: evil.example\n\n", forbidden, otherHost),
    .init(
      "a rebound name with the port", "GET / HTTP/1.1\nHost: evil.example:@PORT@\n\n", forbidden,
      otherHost),
    .init("Host without the port", "GET / HTTP/1.1\nHost: 127.0.0.1\n\n", forbidden, otherHost),
    .init("Host with another port", "GET / HTTP/1.1\nHost: 127.0.0.1:1\n\n", forbidden, otherHost),
    .init(
      "Host that only begins well", "GET / HTTP/1.1\nHost: @HOST@.evil.example\n\n", forbidden,
      otherHost),
    .init(
      "Host with a user", "GET / HTTP/1.1\nHost: evil@@HOST@\n\n", forbidden, otherHost),
    .init("another origin", get("Origin: https://evil.example"), forbidden, otherOrigin),
    .init("no origin of its own", get("Origin: null"), forbidden, otherOrigin),
    .init("an empty origin", get("Origin:"), forbidden, otherOrigin),
    .init("the origin of another port", get("Origin: http://127.0.0.1:1"), forbidden, otherOrigin),
    .init("the origin over TLS", get("Origin: https://@HOST@"), forbidden, otherOrigin),
    .init(
      "the origin by the other name", get("Origin: http://localhost:@PORT@"), forbidden,
      otherOrigin),
    .init("a script of another site", get("Sec-Fetch-Site: cross-site"), forbidden, otherSite),
    .init(
      "a frame on another site", get("Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: iframe"),
      forbidden, otherSite),
    .init(
      "a page of another port", get("Sec-Fetch-Site: same-site", "Sec-Fetch-Dest: empty"),
      forbidden, otherSite),
    .init(
      "a link to the events",
      "GET /events HTTP/1.1\nHost: @HOST@\nSec-Fetch-Site: cross-site\nSec-Fetch-Dest: document\n"
        + "X-Vmhost-Secret: @SECRET@\n\n", forbidden, otherSite),
    .init(
      "a form of another page", post(secret: "", origin: "Origin: https://evil.example\n"),
      forbidden, otherOrigin),
    .init("lines from nowhere", post(origin: ""), forbidden, noOrigin),
    .init(
      "lines from the address bar", post("Sec-Fetch-Site: none", origin: ""), forbidden, noOrigin),
    .init("a form as text", post(type: "Content-Type: text/plain\n"), unsupported, wrongType),
    .init(
      "a form, URL-encoded", post(type: "Content-Type: application/x-www-form-urlencoded\n"),
      unsupported, wrongType),
    .init("lines without a type", post(type: ""), unsupported, wrongType),
    .init(
      "lines with a parameter", post(type: "Content-Type: application/x-ndjson; charset=utf-8\n"),
      unsupported, wrongType),
    .init(
      "a preflight", "OPTIONS /lines HTTP/1.1\nHost: @HOST@\nOrigin: https://evil.example\n\n",
      forbidden, otherOrigin),
    .init(
      "an own preflight", "OPTIONS /lines HTTP/1.1\nHost: @HOST@\nOrigin: http://@HOST@\n\n",
      "405 Method Not Allowed", "The method for /lines is POST."),
    .init(
      "a WebSocket", get("Upgrade: websocket", "Connection: Upgrade"), bad,
      "This server speaks nothing but HTTP/1.1."),
    .init(
      "a WebSocket of another page",
      get("Upgrade: websocket", "Connection: Upgrade", "Origin: https://evil.example"), forbidden,
      otherOrigin),
  ]

  private static let noOrigin = "Lines need Origin: who sends them must say so."
  private static let unsupported = "415 Unsupported Media Type"
  private static let wrongType = "The type of lines is application/x-ndjson."

  // MARK: - Strangers

  static let ofStrangers: [HostileRequest] = [
    .init("no secret for lines", post(secret: ""), forbidden, noSecret),
    .init("an empty secret", post(secret: "X-Vmhost-Secret:\n"), forbidden, noSecret),
    .init("half a secret", post(secret: "X-Vmhost-Secret: 0123\n"), forbidden, noSecret),
    .init(
      "a longer secret", post(secret: "X-Vmhost-Secret: @SECRET@0\n"), forbidden, noSecret),
    .init(
      "the secret twice over", post(secret: "X-Vmhost-Secret: @SECRET@@SECRET@\n"), forbidden,
      noSecret),
    .init(
      "two secrets", post("X-Vmhost-Secret: 0123"), bad, "X-Vmhost-Secret comes twice."),
    .init("no secret for events", "GET /events HTTP/1.1\nHost: @HOST@\n\n", forbidden, noSecret),
    .init(
      "a secret as a cookie", "GET /events HTTP/1.1\nHost: @HOST@\nCookie: secret=@SECRET@\n\n",
      forbidden, noSecret),
    .init(
      "a secret in the path", "GET /events?secret=@SECRET@ HTTP/1.1\nHost: @HOST@\n\n",
      "404 Not Found", notFound),
    .init(
      "a folder above", "GET /../etc/passwd HTTP/1.1\nHost: @HOST@\n\n", "404 Not Found", notFound),
    .init(
      "a folder above, encoded", "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\nHost: @HOST@\n\n",
      "404 Not Found", notFound),
    .init("two slashes", "GET //events HTTP/1.1\nHost: @HOST@\n\n", "404 Not Found", notFound),
    .init("an encoded path", "GET /%65vents HTTP/1.1\nHost: @HOST@\n\n", "404 Not Found", notFound),
    .init("a fragment", "GET /#events HTTP/1.1\nHost: @HOST@\n\n", "404 Not Found", notFound),
    .init("a query", "GET /? HTTP/1.1\nHost: @HOST@\n\n", "404 Not Found", notFound),
    .init("an icon", "GET /favicon.ico HTTP/1.1\nHost: @HOST@\n\n", "404 Not Found", notFound),
    .init(
      "another method", "DELETE / HTTP/1.1\nHost: @HOST@\n\n", "405 Method Not Allowed",
      "The method for / is GET."),
    .init(
      "a method in lower case", "get / HTTP/1.1\nHost: @HOST@\n\n", "405 Method Not Allowed",
      "The method for / is GET."),
    .init(
      "lines by GET", "GET /lines HTTP/1.1\nHost: @HOST@\n\n", "405 Method Not Allowed",
      "The method for /lines is POST."),
    .init(
      "events by POST", "POST /events HTTP/1.1\nHost: @HOST@\n\n", "405 Method Not Allowed",
      "The method for /events is GET."),
    .init(
      "a proxy's request", "GET http://@HOST@/ HTTP/1.1\nHost: @HOST@\n\n", bad,
      "The target of a request is a path."),
    .init(
      "a tunnel", "CONNECT evil.example:443 HTTP/1.1\nHost: @HOST@\n\n", bad,
      "The target of a request is a path."),
    .init(
      "the whole server", "OPTIONS * HTTP/1.1\nHost: @HOST@\n\n", bad,
      "The target of a request is a path."),
    .init(
      "an event that is no number", event("x"), bad, "Last-Event-ID is not the number of an event."
    ),
    .init("an event below zero", event("-1"), bad, "Last-Event-ID is not the number of an event."),
    .init("no event", event(""), bad, "Last-Event-ID is not the number of an event."),
    .init(
      "an event that isn't there yet", event("1"), bad,
      "Last-Event-ID is not the number of an event."),
    .init(
      "an event beyond all numbers", event("99999999999999999999"), bad,
      "Last-Event-ID is not the number of an event."),
    .init("no line", post(length: "Content-Length: 0\n", body: ""), bad, notObject(1)),
    .init("an empty line", post(body: "{\"a\":1}␊␊", count: 9), bad, notObject(2)),
    .init("a line that is no object", post(body: "[1,2,3]␊"), bad, notObject(1)),
    .init("half a line", post(body: "{\"n\":12␊"), bad, notObject(1)),
    .init(
      "a tab in a line", post(body: "{\"n\":\t1}", count: 8), bad,
      "Line 1 has a control character."),
    .init(
      "a carriage return in a line", post(body: "{\"n\":␍1}"), bad,
      "Line 1 has a control character."),
    .init("a line that ends twice", post(body: "{\"n\":1}␍␊", count: 9), bad, notObject(1)),
    .init("a zero in a line", post(body: "{\"n\":␀1}"), bad, "Line 1 has a control character."),
  ]

  private static func post(body: String, count: Int) -> String {
    post(length: "Content-Length: \(count)\n", body: body)
  }

  private static func event(_ number: String) -> String {
    "GET /events HTTP/1.1\nHost: @HOST@\nX-Vmhost-Secret: @SECRET@\nLast-Event-ID: \(number)\n\n"
  }

  private static func notObject(_ number: Int) -> String {
    "Line \(number) is not a JSON object."
  }

  // MARK: - Who wants two readers to disagree

  static let ofSmugglers: [HostileRequest] = [
    .init(
      "a length and chunks", post("Transfer-Encoding: chunked"), bad,
      "A request has either Content-Length or Transfer-Encoding."),
    .init(
      "chunks", post("Transfer-Encoding: chunked", length: "", body: "8\n{\"n\":1}␊\n0\n\n"),
      "411 Length Required", "A body needs Content-Length; it can't be chunked."),
    .init(
      "chunks by another name", post("Transfer-Encoding: identity, xchunked", length: ""),
      "411 Length Required", "A body needs Content-Length; it can't be chunked."),
    .init(
      "chunks twice", post("Transfer-Encoding: chunked", "transfer-encoding: x", length: ""), bad,
      "Transfer-Encoding comes twice."),
    .init(
      "no length", post(length: ""), "411 Length Required", "Lines need Content-Length."),
    .init(
      "the same length twice", post("Content-Length: 8"), bad, "Content-Length comes twice."),
    .init("two lengths in one", post(length: "Content-Length: 8, 8\n"), bad, badLength),
    .init("a negative length", post(length: "Content-Length: -8\n"), bad, badLength),
    .init("a length with a sign", post(length: "Content-Length: +8\n"), bad, badLength),
    .init("a hexadecimal length", post(length: "Content-Length: 0x8\n"), bad, badLength),
    .init("an empty length", post(length: "Content-Length:\n"), bad, badLength),
    .init(
      "a length over the limit", post(length: "Content-Length: 16777217\n", body: ""),
      "413 Content Too Large", "The body has more than 16 MB."),
    .init(
      "a length over all numbers",
      post(length: "Content-Length: 18446744073709551624\n", body: ""), "413 Content Too Large",
      "The body has more than 16 MB."),
    .init(
      "a space before the colon", post("Transfer-Encoding : chunked"), bad, badHeader),
    .init("a folded header", get("X-Long: a", " b"), bad, badHeader),
    .init("a header before all", "GET / HTTP/1.1\n Host: @HOST@\n\n", bad, badHeader),
    .init("a header without a name", get(": x"), bad, badHeader),
    .init("a header without a colon", get("Host"), bad, badHeader),
    .init("a name with a zero", get("Ho␀st: x"), bad, notASCII),
    .init("a zero in a value", get("X: a␀b"), bad, notASCII),
    .init("a value that isn't ASCII", get("X: ü"), bad, notASCII),
    .init("a bare line feed in the headers", get("X: a␊Y: b"), bad, badEnd),
    .init("a bare carriage return", get("X: a␍Y: b"), bad, badEnd),
    .init("bare line feeds only", "GET / HTTP/1.1␊Host: @HOST@␊␊", bad, badEnd),
    .init("an empty line before all", "\nGET / HTTP/1.1\nHost: @HOST@\n\n", bad, badLine),
    .init("a body of a GET", get("Content-Length: 1") + "x", bad, "A GET has no body."),
    .init(
      "a body that waits", post("Expect: 100-continue"), "417 Expectation Failed",
      "Send the body without waiting."),
  ]

  // MARK: - Who speaks something else

  static let ofOthers: [HostileRequest] = [
    .init("HTTP/0.9", "GET /\n", bad, badLine),
    .init(
      "HTTP/1.0", "GET / HTTP/1.0\nHost: @HOST@\n\n", "505 HTTP Version Not Supported",
      "This server speaks HTTP/1.1."),
    .init(
      "HTTP/2", "PRI * HTTP/2.0\n\nSM\n\n", "505 HTTP Version Not Supported",
      "This server speaks HTTP/1.1."),
    .init(
      "another protocol", "OPTIONS / RTSP/1.0\n\n", bad,
      "The request line doesn't end with HTTP/1.1."),
    .init("a hello of TLS", "\u{16}\u{3}\u{1}␀\u{5}", bad, notASCII),
    .init("two spaces", "GET  / HTTP/1.1\nHost: @HOST@\n\n", bad, badLine),
    .init("a space in the path", "GET /a b HTTP/1.1\nHost: @HOST@\n\n", bad, badLine),
    .init("a tab for a space", "GET\t/ HTTP/1.1\nHost: @HOST@\n\n", bad, notASCII),
    .init("a zero in the path", "GET /␀ HTTP/1.1\nHost: @HOST@\n\n", bad, notASCII),
    .init("a method that is none", "G(T / HTTP/1.1\nHost: @HOST@\n\n", bad, badLine),
    .init(
      "a long path", "GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\n\n",
      "414 URI Too Long", "The request line has more than 8 KB."),
    .init(
      "a long header", get("X: " + String(repeating: "a", count: 17000)), tooLong,
      "The headers have more than 16 KB."),
    .init(
      "long headers",
      "GET / HTTP/1.1\n"
        + String(repeating: "X: " + String(repeating: "a", count: 996) + "\n", count: 17) + "\n",
      tooLong, "The headers have more than 16 KB."),
    .init(
      "many headers", "GET / HTTP/1.1\n" + String(repeating: "a:\n", count: 101) + "\n", tooLong,
      "There are more than 100 headers."),
  ]
}

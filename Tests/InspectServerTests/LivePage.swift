import CanonicalJSON
import Foundation
import TestSupport
import Testing

/// The real server of a live page, with a test at both of its ends.
struct LivePage {
  static let html = "<!doctype html><title>Live</title>"

  let child: ChildProcess
  let port: UInt16
  let secret: String

  /// - Parameters:
  ///   - limits: what takes the place of the server's own, such as `reload=200ms`.
  ///   - html: the page.
  ///   - lines: the first lines of the session.
  init(_ limits: [String] = [], html: String = html, lines: [String] = []) throws {
    child = try ChildProcess(
      BuildProducts.executable("vmhost-inspect"), limits, environment: [:], input: .pipe)
    try child.writeLine("{\"kind\":\"page\",\"bytes\":\(html.utf8.count)}")
    try child.write(Array(html.utf8))
    for line in lines { try child.writeLine(line) }
    let line = try #require(try child.readLine())
    let value = try JSONValue(parsing: Array(line.utf8).span)
    try #require(value["kind"] == "serving")
    port = UInt16(try #require(value["port"]?.intValue))
    secret = try #require(value["secret"]?.stringValue)
  }

  /// Runs `body` with a server, then checks that it ends with its standard input, and has nothing
  /// more to say.
  static func with(
    _ limits: [String] = [], html: String = html, lines: [String] = [],
    _ body: (LivePage) throws -> Void
  ) throws {
    let page = try LivePage(limits, html: html, lines: lines)
    try body(page)
    try page.end()
  }

  func end() throws {
    child.closeInput()
    #expect(try child.readLine() == nil)
    let output = try child.wait()
    #expect(output.status == .success)
    #expect(output.stderr == "")
  }

  // MARK: - Requests

  var host: String { "127.0.0.1:\(port)" }

  func connect() throws -> LoopbackClient { try LoopbackClient(port: port) }

  /// A request with the right Host.
  func request(_ line: String, _ headers: [String] = [], body: String? = nil) -> String {
    let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
    let lines = ["\(line) HTTP/1.1", "Host: \(host)"] + headers + length
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
  }

  func lines(_ body: String, _ headers: [String] = []) -> String {
    let all = [
      "X-Vmhost-Secret: \(secret)", "Origin: http://\(host)",
      "Content-Type: application/x-ndjson",
    ]
    return request("POST /lines", all + headers, body: body)
  }

  /// A stream of events, after its head.
  func events(after number: Int? = nil) throws -> LoopbackClient {
    let client = try connect()
    let last = number.map { ["Last-Event-ID: \($0)"] } ?? []
    try client.send(request("GET /events", ["X-Vmhost-Secret: \(secret)"] + last))
    let answer = try client.readAnswerHead()
    try #require(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
    return client
  }

  /// The whole answer of a connection of its own.
  func answer(_ text: String) throws -> String {
    let client = try connect()
    try client.send(text)
    return try client.readToEnd()
  }

  /// The number at the beginning of an answer.
  func status(of text: String) throws -> String {
    String(try answer(text).dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  /// Whether the page can be loaded now.
  func isServing() throws -> Bool {
    try answer(request("GET /", ["Connection: close"])).hasSuffix("\r\n\r\n" + Self.html)
  }

  /// A number of /proc/PID/status, such as the most memory that was in use, in KB.
  func processStatus(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(child.processID)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name):") })
    let words = line.split { $0 == "\t" || $0 == " " }
    return try #require(Int(words[1]))
  }

  /// The numbers of the server's open files, in order.
  func openFiles() throws -> [Int] {
    let folder = "/proc/\(child.processID)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap(Int.init).sorted()
  }

  /// Waits until the server has so many connections.
  func waitForConnections(_ count: Int) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    // Its three standard streams and the socket that it listens with are open too.
    while try openFiles().count - 4 != count {
      guard ContinuousClock.now < deadline else {
        throw TestSupportError("There are other than \(count) connections: \(try openFiles()).")
      }
      // No request of ours: the server would always have one more connection to close.
      sched_yield()
    }
  }
}

extension LoopbackClient {
  func readAnswerHead() throws -> String { try read(until: "\r\n\r\n") }

  /// The next event, without the empty line after it.
  func readEvent() throws -> String { String(try read(until: "\n\n").dropLast(2)) }

  /// The status line of an answer without a body, such as `204 No Content`.
  func readStatus() throws -> String {
    let line = try readAnswerHead().prefix { $0 != "\r\n" }
    return String(line.dropFirst("HTTP/1.1 ".count))
  }
}

import CanonicalJSON
import HostCore

/// The process that serves a page: `vmhost-inspect`. It passes the session's lines to the page, and
/// the page's lines to the session.
final class PageServer {
  private static let program = "vmhost-inspect"
  /// The time that it has to begin.
  private static let start: Nanoseconds = 10_000_000_000
  /// The time that it has to pass the last lines on.
  private static let grace: Nanoseconds = 3_000_000_000
  /// No longer line says where it serves.
  private static let maxLine = 4096

  private let process: ProcessHandle
  /// The address of the page, with the secret that the page needs.
  let address: String

  /// Starts serving a page.
  ///
  /// - Throws: `Failure` if that isn't possible, or if a signal comes meanwhile.
  init(_ page: [UInt8], _ signals: SignalWatch) throws {
    do throws(SystemError) {
      process = try ProcessHandle(
        executable: "\(try Files.executableFolder())/\(Self.program)", arguments: [])
    } catch { throw Self.failure("it could not be started: \(error.reason)") }
    let head = Array("{\"kind\":\"page\",\"bytes\":\(page.count)}\n".utf8)
    address = try Self.begin(process, with: head + page, signals)
  }

  /// Where the session's lines go.
  var input: Int32 { process.input }
  /// Where the page's lines come from. It ends when the page is closed.
  var output: Int32 { process.output }

  /// Ends it, once the page has the last lines.
  func finish() { process.finish(within: Self.grace) }

  /// Sends the page, and reads the first line, which may come before all of the page is read.
  ///
  /// - Returns: the address of the page.
  private static func begin(
    _ process: ProcessHandle, with page: [UInt8], _ signals: SignalWatch
  ) throws -> String {
    let end = SystemClock.monotonic() + start
    var written = 0
    var line: [UInt8] = []
    var address: String?
    while true {
      if let address, written == page.count { return address }
      var interests = [signals.interest]
      if address == nil { interests.append(Descriptor.Interest(process.output)) }
      if written < page.count {
        interests.append(Descriptor.Interest(process.input, reading: false, writing: true))
      }
      let left = end - SystemClock.monotonic()
      guard left > 0 else { throw failure("it doesn't begin") }
      try Descriptor.wait(for: &interests, timeout: left)
      if let number = signals.number { throw Failure(.signal(number), "") }
      if address == nil, interests[1].isReady {
        try read(&line, from: process)
        if line.last == 0x0a { address = try Self.address(in: line) }
      }
      guard written < page.count else { continue }
      do throws(SystemError) {
        let rest = page.span.extracting(written..<page.count)
        written += try Descriptor.writeSome(process.input, rest) ?? 0
      } catch { throw failure("it ended (\(process.finish(within: grace)))") }
    }
  }

  /// Reads one more byte of the first line, as what follows the line is the session's.
  private static func read(_ line: inout [UInt8], from process: ProcessHandle) throws {
    let count = try Descriptor.read(process.output, limit: 1, into: &line)
    guard count != 0 else { throw failure("it ended (\(process.finish(within: grace)))") }
    guard line.count <= maxLine else { throw failure("it doesn't say where it serves") }
  }

  private static func address(in line: [UInt8]) throws(Failure) -> String {
    guard let message = try? JSONValue(parsing: line.span),
      message["kind"]?.stringValue == "serving",
      let port = message["port"].flatMap({ UInt16($0.canonicalText) }),
      let secret = message["secret"]?.stringValue
    else { throw failure("it doesn't say where it serves") }
    return "http://127.0.0.1:\(port)/#secret=\(secret)"
  }

  private static func failure(_ reason: String) -> Failure {
    Failure(.outputLost, "\(program), which serves the page, can't be used: \(reason).")
  }
}

import CanonicalJSON
import TestSupport

/// A live session of the real host with `movies.so`, over real HTTP.
///
/// Lines are shown as by `Driver`: `< items []`, `? http …`, `x http`, without the first frame.
struct HostRun {
  private let child: ChildProcess
  /// How many states each view model shows first.
  private static let firstFrames = [
    "movies.list": 6, "movies.details": 4, "movies.suggestions": 1,
  ]

  /// Starts the host and reads the first frame away.
  init(
    _ viewModel: String = "movies.list", config: JSONValue = [:], arguments: [String] = [],
    environment: [String: String]? = nil
  ) throws {
    child = try ChildProcess(
      BuildProducts.executable("vmhost"),
      [
        "run", BuildProducts.library("movies"), "--view-model", viewModel, "--config",
        config.canonicalText, "--format", "jsonl",
      ] + arguments, environment: environment, input: .pipe)
    for _ in 0..<(Self.firstFrames[viewModel] ?? 0) { _ = try nextLine() }
  }

  func send(_ input: String) throws {
    try child.writeLine("> \(input)")
  }

  /// Reads what happens up to the first line that ends with `last`, that included.
  func lines(until last: String) throws -> [String] {
    var lines: [String] = []
    while let line = try nextLine() {
      lines.append(line)
      if line.hasSuffix(last) { return lines }
    }
    throw DriverError("The session ended before \"\(last)\": \(lines)")
  }

  /// Ends the input, and gives what else happened until the session ended well.
  func finish() throws -> [String] {
    child.closeInput()
    var lines: [String] = []
    while let line = try nextLine() { lines.append(line) }
    let output = try child.wait()
    guard output.status == .exited(0) else {
      throw DriverError("The host ended with \(output.status): \(output.stderr)")
    }
    return lines
  }

  /// Ends the host without any chance to tidy up.
  func kill() throws {
    child.kill(9)
    try child.wait()
  }

  /// All that the host wrote so far, once it has ended.
  func output() throws -> ChildProcess.Output {
    try child.wait()
  }

  /// Nil at the end of the output.
  private func nextLine() throws -> String? {
    while let text = try child.readLine() {
      let event = try JSONValue(parsing: Array(text.utf8).span)
      switch event["kind"]?.stringValue {
      case "output":
        let value = event["value"].map { " \($0)" } ?? ""
        return "< \(event["name"]?.stringValue ?? "?")\(value)"
      case "request":
        let url = event["value"]?["url"]?.stringValue ?? "?"
        return "? \(event["effect"]?.stringValue ?? "?") \(url)"
      case "cancel": return "x http"
      case "session", "end": continue
      default: return text
      }
    }
    return nil
  }
}

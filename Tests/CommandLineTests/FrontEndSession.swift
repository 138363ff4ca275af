import Foundation
import TestSupport
import Testing

/// A front end in a terminal, run by a shell that says how it ended.
struct FrontEndSession {
  let terminal: PseudoTerminal
  /// Of the shell, and of all that it starts.
  private let id: Int32

  struct MissingPython: Error, CustomStringConvertible {
    let description =
      "There is no python3 in PATH, and Examples/frontends/movies.py needs it (3.10 or later for"
      + " this test). Install it, as in: apt-get install python3"
  }

  /// A session of movies.py.
  init(_ options: [String] = [], columns: Int = 80, rows: Int = 24) throws {
    let program = [try Self.python(), try Self.script(), "--vmhost"]
    try self.init(
      command: program + [BuildProducts.executable("vmhost")] + options, columns: columns,
      rows: rows)
  }

  init(command arguments: [String], columns: Int = 80, rows: Int = 24) throws {
    terminal = try PseudoTerminal(columns: columns, rows: rows)
    let command = "echo $$; \"$@\"; echo status $?; stty -a"
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    try terminal.start(
      "/bin/sh",
      ["-c", command, "sh"] + arguments,
      environment: ["PATH": path, "TERM": "xterm-256color", "LANG": "C.UTF-8"])
    id = try #require(Int32(terminal.read(until: "\r\n")))
  }

  static func script() throws -> String { try "\(Repository.root())/Examples/frontends/movies.py" }

  static func python() throws -> String {
    guard let python = Programs.path(of: "python3") else { throw MissingPython() }
    return python
  }

  /// The processes of this terminal that run now.
  func processes() throws -> [(id: Int32, parent: Int32, name: String)] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { entry in
      // A process may end meanwhile.
      guard let process = Int32(entry),
        let stat = try? String(contentsOfFile: "/proc/\(entry)/stat", encoding: .utf8),
        let opening = stat.firstIndex(of: "("), let closing = stat.lastIndex(of: ")")
      else { return nil }
      let fields = stat[closing...].split(separator: " ")
      // One that has ended stays a zombie for as long as whoever inherited it likes.
      guard fields[4] == "\(id)", fields[1] != "Z", let parent = Int32(fields[2]) else {
        return nil
      }
      return (process, parent, String(stat[stat.index(after: opening)..<closing]))
    }
  }

  /// Presses the key that ends the front end, and expects that nothing of it is left.
  func end(by key: String) throws {
    try terminal.write(key)
    try expectEnd(status: 0) { $0.isEmpty }
  }

  /// Expects that the front end ends, and that it leaves the terminal as it was.
  ///
  /// - Parameter areExpected: whether these are the lines that it may have left there.
  func expectEnd(status: Int32, areExpected: ([String]) -> Bool) throws {
    #expect(try terminal.waitForExit() == .status(0))
    let screen = terminal.screen
    let lines = screen.lines
    let end = try #require(lines.firstIndex(of: "status \(status)"), "\(lines)")
    #expect(lines.first == "\(id)")
    #expect(areExpected(Array(lines[1..<end])), "\(lines)")
    let settings = lines[end...].joined(separator: " ")
    for setting in [" icanon ", " echo ", " isig ", " icrnl ", " opost "] {
      #expect(settings.contains(setting), "\(setting)")
    }
    #expect(screen.isCursorVisible)
    #expect(screen.unknownSequences == [])
    #expect(try processes().map(\.name) == [])
  }
}

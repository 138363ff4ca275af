import Basics
import HostCore

/// A command of a terminal session that looks at the session's history, or goes somewhere in it.
enum TimeTravelCommand {
  case steps(Int)
  case back(Int)
  case go(Int)
  case save(String)

  private static let shownSteps = 20

  /// - Returns: nil for any other command.
  /// - Throws: `SessionFailure` if its argument is missing or makes no sense.
  init?(_ line: String) throws(SessionFailure) {
    let words = line.split(separator: " ", maxSplits: 1)
    let argument = words.count > 1 ? String(words[1].trimmingPrefix { $0 == " " }) : nil
    switch words.first {
    case ":steps":
      self = .steps(try Self.number(argument, of: line, from: 1) ?? Self.shownSteps)
    case ":back": self = .back(try Self.number(argument, of: line, from: 1) ?? 1)
    case ":go":
      guard let step = try Self.number(argument, of: line, from: 0) else {
        throw SessionFailure(.invalid, ":go needs the number of a step, as in :go 12.")
      }
      self = .go(step)
    case ":save":
      guard let argument else {
        throw SessionFailure(.invalid, ":save needs a file, as in :save search.vmt.")
      }
      self = .save(argument)
    default: return nil
    }
  }

  private static func number(
    _ text: String?, of line: String, from least: Int
  ) throws(SessionFailure) -> Int? {
    guard let text else { return nil }
    guard let number = Int(text), number >= least, text.first != "+" else {
      let name = line.prefix { $0 != " " }
      throw SessionFailure(
        .invalid, "\(name): \"\(text)\" is not a whole number from \(least) on.")
    }
    return number
  }

  /// - Returns: what is to be said.
  func perform(
    in interpreter: ScriptInterpreter, headers: [String], _ style: Style,
    isInterrupted: () -> Bool
  ) throws -> String {
    switch self {
    case .steps(let count): return try Self.list(count, interpreter, style)
    case .back(let count):
      let step = interpreter.session.steps
      guard count <= step else {
        throw SessionFailure(
          .invalid,
          step == 0
            ? "there is no step to go back." : "you can go back at most \(Count.of(step, "step")).")
      }
      try interpreter.go(to: step - count, isInterrupted: isInterrupted)
      return ""
    case .go(let step):
      try interpreter.go(to: step, isInterrupted: isInterrupted)
      return ""
    case .save(let path):
      return try Self.save(path, interpreter, headers, isInterrupted)
    }
  }

  private static func save(
    _ path: String, _ interpreter: ScriptInterpreter, _ headers: [String],
    _ isInterrupted: () -> Bool
  ) throws -> String {
    do {
      let steps = try interpreter.save(to: path, headers: headers, isInterrupted: isInterrupted)
      return "saved \(Count.of(steps, "step")) to \(path.terminalSafeLine)"
    } catch let error as SystemError {
      throw SessionFailure(
        .invalid, "could not save to \"\(path)\": \(NewTranscript.reason(error, path))")
    }
  }

  private static func list(
    _ count: Int, _ interpreter: ScriptInterpreter, _ style: Style
  ) throws -> String {
    let history = try interpreter.reachableHistory()
    let present = interpreter.session.steps
    // The present step is always among them.
    let end = min(history.steps, max(present + count / 2, count))
    let range = max(min(end - count, present - 1), 0)..<end
    let lines = history.lines(of: range, in: interpreter.session)
    let width = "\(range.upperBound)".count
    let times = lines.map { TimeSpan.text($0.time) }
    let timeWidth = times.map(\.count).max() ?? 0
    return zip(lines, times).map { line, time in
      let mark = line.step == present ? style.port("→") : " "
      let number = "\(line.step)"
      return "\(mark) \("".padded(to: width - number.count))\(number)"
        + "  \("".padded(to: timeWidth - time.count))\(time)  \(line.text)"
    }.joined(separator: "\n")
  }
}

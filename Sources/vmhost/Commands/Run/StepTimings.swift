import HostCore

/// `run --timings`: how long the steps of a session take, in real time, on standard error.
final class StepTimings {
  private struct Key: Hashable {
    let viewModel: String
    let event: String

    var name: String { "\(viewModel) \(event)" }
  }

  private var times: [Key: [Nanoseconds]] = [:]
  /// The number of rows of the table.
  private static let maxRows = 20

  /// Shows and keeps the time of a step.
  func take(_ step: TimedConnection.Step) {
    let key = Key(viewModel: step.viewModel, event: step.event)
    times[key, default: []].append(step.time)
    Console.complain("vmhost: \(Self.text(step.time)) \(key.name)\n")
  }

  /// The table of what took longest; empty if there was no step.
  var table: String {
    let rows = times.map { key, times in
      let sorted = times.sorted()
      return (
        name: key.name, count: "\(sorted.count)", median: sorted[(sorted.count - 1) / 2],
        max: sorted[sorted.count - 1]
      )
    }.sorted { ($1.max, $0.name) < ($0.max, $1.name) }
    guard !rows.isEmpty else { return "" }
    let lines = rows.prefix(Self.maxRows).map {
      (Self.text($0.max), Self.text($0.median), $0.count, $0.name)
    }
    let table = [("max", "median", "count", "step")] + lines
    let left = rows.count - lines.count
    return table.map { max, median, count, name in
      "\(Self.right(max, 11))  \(Self.right(median, 11))  \(Self.right(count, 7))  \(name)\n"
    }.joined() + (left > 0 ? "… \(left) more\n" : "")
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
  }

  /// A time in milliseconds, with three digits after the point.
  private static func text(_ time: Nanoseconds) -> String {
    let micros = "\(time / 1_000 % 1_000)"
    let zeros = String(repeating: "0", count: 3 - micros.count)
    return "\(time / 1_000_000).\(zeros)\(micros) ms"
  }
}

/// What a worker printed about its own end. A plugin can print the same, so it is shown as what the
/// plugin says, beside what the host has seen.
enum LastWords: Equatable {
  /// The report on a call that confinement refuses, from "it" on.
  case report(String)
  /// The sentence of Swift's runtime, with its file and line.
  case fatalError(String)

  /// Longer lines are only printed.
  private static let maxBytes = 2000
  /// The beginning of a report (`Sources/WorkerSymbols/refusals.c`).
  private static let reportStart = "vmhost: it "

  init?(_ line: String) {
    guard line.utf8.count <= Self.maxBytes else { return nil }
    if let report = Self.report(line) {
      self = .report(report)
    } else if Self.isFatalError(line) {
      self = .fatalError(line.hasSuffix(".") ? String(line.dropLast()) : line)
    } else {
      return nil
    }
  }

  private static func report(_ line: String) -> String? {
    line.hasPrefix(reportStart) ? "it " + line.dropFirst(reportStart.count) : nil
  }

  private static func isFatalError(_ line: String) -> Bool {
    let kinds = ["Fatal error", "Precondition failed", "Assertion failed"]
    return line.hasPrefix("Could not cast value of type '")
      || kinds.contains { kind in
        // "Cart/Cart.swift:12: Fatal error: …", or without a place.
        line.hasPrefix(kind) || line.contains(": \(kind)")
      }
  }

  /// A printed line. If it is a report, it says what the plugin was doing.
  static func shown(_ line: String, while activity: String) -> String {
    guard let report = report(line) else { return line }
    return "vmhost: while \(activity), \(report)"
  }
}

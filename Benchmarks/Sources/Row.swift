import Foundation

/// A line of the table.
struct Row {
  var what: String
  var measured: String
  var baseline: String
  var ratio: String
  var target = "–"
  /// Nil where there is no target.
  var isMet: Bool?

  private var cells: [String] {
    [what, measured, baseline, ratio, target, isMet.map { $0 ? "yes" : "no" } ?? "–"]
  }

  /// A Markdown table with aligned columns.
  static func table(_ rows: [Row]) -> String {
    let head = ["what", "measured", "baseline", "ratio", "target", "met"]
    let all = [head] + rows.map(\.cells)
    let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      "| "
        + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        .joined(separator: " | ") + " |"
    }
    let rule =
      "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
    return ([line(head), rule] + rows.map { line($0.cells) }).joined(separator: "\n")
  }
}

/// Figures with three digits, as people read them.
enum Figure {
  /// - Parameter seconds: of one unit of work.
  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-6: "\(digits(seconds * 1e9)) ns"
    case ..<1e-3: "\(digits(seconds * 1e6)) µs"
    case ..<1: "\(digits(seconds * 1e3)) ms"
    default: "\(digits(seconds)) s"
    }
  }

  /// - Parameter bytes: in all.
  static func memory(_ bytes: Int) -> String { "\(digits(Double(bytes) / 1e6)) MB" }

  static func times(_ ratio: Double) -> String { "\(digits(ratio))x" }

  private static func digits(_ value: Double) -> String {
    let places = value < 10 ? 2 : value < 100 ? 1 : 0
    return String(format: "%.\(places)f", value)
  }
}

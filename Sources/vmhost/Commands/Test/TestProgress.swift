import HostCore

/// Shows the progress of a test run on standard error: a bar on a terminal, some lines elsewhere.
final class TestProgress {
  private static let width = 30
  /// How many lines are printed where there is no bar.
  private static let lines = 20
  /// The minimum time between two drawings of the bar.
  private static let pause: Nanoseconds = 50_000_000

  /// Whether there is a bar. It needs a terminal on which a line can be erased.
  private let drawsBar: Bool
  private var total = 0
  private var done = 0
  private var bad = 0
  private var drawn: Nanoseconds = 0
  private var isShown = false

  init(isTerminal: Bool, variable: (String) -> String?) {
    let terminal = variable("TERM") ?? ""
    drawsBar = isTerminal && !terminal.isEmpty && terminal != "dumb"
  }

  func begin(_ total: Int) {
    self.total = total
    if drawsBar && total > 0 { draw() }
  }

  func add(_ result: TestResult) {
    done += 1
    if result.verdict.outcome != .success { bad += 1 }
    if drawsBar {
      if SystemClock.monotonic() - drawn > Self.pause { draw() }
      return
    }
    let each = (total + Self.lines - 1) / Self.lines
    // The summary follows the last result, so no line is needed for it.
    guard done.isMultiple(of: each), done < total else { return }
    Console.complain("[\(done)/\(total)]\(bad == 0 ? "" : " \(bad) not passed")\n")
  }

  /// Erases the bar, so that something else can be printed.
  func clear() {
    guard isShown else { return }
    isShown = false
    drawn = 0
    Console.draw("\r\u{1B}[K")
  }

  private func draw() {
    let count = "\(done)/\(total)\(bad == 0 ? "" : ", \(bad) not passed")"
    let columns = RawTerminal.width(of: Descriptor.standardError) ?? 80
    // A bar that wraps onto a second line couldn't be erased.
    let width = min(Self.width, columns - count.count - 4)
    let filled = width * done / max(total, 1)
    let bar =
      width < 5
      ? ""
      : "[" + String(repeating: "=", count: filled)
        + String(repeating: " ", count: width - filled) + "] "
    Console.draw("\r\u{1B}[K\(bar)\(count)")
    isShown = true
    drawn = SystemClock.monotonic()
  }
}

import HostCore

/// How far a run of tests is: a bar on a terminal, lines elsewhere; on standard error.
final class TestProgress {
  private static let width = 30
  /// Redrawing more often than this helps nobody.
  private static let pause: Nanoseconds = 50_000_000

  private let isTerminal: Bool
  private var total = 0
  private var done = 0
  private var bad = 0
  private var drawn: Nanoseconds = 0
  private var isShown = false

  init(isTerminal: Bool) { self.isTerminal = isTerminal }

  func begin(_ total: Int) {
    self.total = total
    if isTerminal { draw() }
  }

  func add(_ result: TestResult) {
    done += 1
    if result.verdict.outcome != .success { bad += 1 }
    guard isTerminal else {
      return VMHost.complain(
        "[\(done)/\(total)] \(result.verdict.words) \(result.path.legibleInLine)"
          + " (\(result.duration.secondsText))\n")
    }
    if SystemClock.monotonic() - drawn > Self.pause { draw() }
  }

  /// Takes the bar away, so that something else can be printed.
  func clear() {
    guard isShown else { return }
    isShown = false
    drawn = 0
    VMHost.complain("\r\u{1B}[K")
  }

  func end() { clear() }

  private func draw() {
    let filled = total == 0 ? 0 : Self.width * done / total
    let bar =
      String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
    let failures = bad == 0 ? "" : ", \(bad) not passed"
    VMHost.complain("\r\u{1B}[K[\(bar)] \(done)/\(total)\(failures)")
    isShown = true
    drawn = SystemClock.monotonic()
  }
}

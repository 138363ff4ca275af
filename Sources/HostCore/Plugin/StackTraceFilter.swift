/// Recognizes the addresses that Swift's runtime prints after a fatal error, among the lines of one
/// plugin. They tell people nothing, and crowd out the lines before them.
struct StackTraceFilter: Sendable {
  private var isInTrace = false

  /// Whether a line is a part of such a list.
  mutating func isPart(_ line: String) -> Bool {
    isInTrace = line == "Current stack trace:" || isInTrace && line.first?.isNumber == true
    return isInTrace
  }
}

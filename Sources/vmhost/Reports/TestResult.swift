import HostCore

/// What came of one transcript.
struct TestResult: Sendable, Equatable {
  /// As it was found: the path that was given, or one below it.
  let path: String
  var verdict: Verdict
  /// How long it took, on the wall.
  var duration: Nanoseconds = 0
  var steps = 0
  /// Where it went wrong: a line, from 1; 0 if it is about no line.
  var line = 0
  /// What went wrong, in one sentence; empty if nothing did.
  var summary = ""
  /// The lines below that: the diff and its context, in plain text.
  var details = ""
}

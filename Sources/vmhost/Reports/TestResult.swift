import HostCore

/// The result of one transcript.
struct TestResult: Sendable, Equatable {
  /// The path as it was given, or found in a folder that was given.
  let path: String
  var verdict: Verdict
  /// How long it took, in real time.
  var duration: Nanoseconds = 0
  var steps = 0
  /// How many of the steps could not be played.
  var skippedSteps = 0
  /// The line of the failure, counted from 1; 0 if it belongs to no line.
  var line = 0
  /// The failure in one sentence; empty if there is none.
  var summary = ""
  /// The plugins whose libraries aren't those that it was recorded with.
  var changedPlugins: [ChangedPlugin] = []
  /// The instances that live on after they were closed.
  var leaks: [Leak] = []
  /// The steps that took long.
  var slowSteps: [SlowStep] = []
  /// The diff and its context, in plain text.
  var details = ""

  /// A text that is the same for failures with the same verdict and summary, in whichever file.
  var kindOfFailure: String { "\(verdict.text): \(summary.replacing(path, with: ""))" }
}

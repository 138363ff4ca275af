import HostCore

extension Verdict {
  /// The outcome of a run in which this is the worst verdict.
  var outcome: Outcome {
    switch self {
    case .passed, .unverified, .skipped: .success
    case .failed: .failed
    case .invalid: .usage
    case .notLoaded: .notLoaded
    case .crashed, .timedOut: .brokenPlugin
    case .nondeterministic: .nondeterministic
    }
  }

  /// The verdict for people.
  var text: String {
    switch self {
    case .timedOut: "timed out"
    case .notLoaded: "not loaded"
    default: rawValue
    }
  }
}

extension [TestResult] {
  /// The outcome of a run with these results: that of the failure to fix first.
  var outcome: Outcome { map(\.verdict.outcome).worst }

  /// The results in the order of their paths.
  var sortedByPath: [TestResult] { sorted { PathKey($0.path) < PathKey($1.path) } }

  /// The number of results with a verdict.
  func count(_ verdict: Verdict) -> Int { count { $0.verdict == verdict } }
}

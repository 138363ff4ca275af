import HostCore

extension Verdict {
  /// How a run ends in which this was the worst.
  var outcome: Outcome {
    switch self {
    case .passed, .unverified: .success
    case .failed: .failed
    case .invalid: .usage
    case .notLoaded: .notLoaded
    case .crashed, .timedOut: .brokenPlugin
    case .nondeterministic: .nondeterministic
    }
  }

  /// The verdict as people read it.
  var words: String {
    switch self {
    case .timedOut: "timed out"
    case .notLoaded: "not loaded"
    default: rawValue
    }
  }
}

extension [TestResult] {
  /// How a run with these results ends: by what has to be mended first.
  var outcome: Outcome { map(\.verdict.outcome).worst }

  /// The same results, in the order of their paths.
  var sortedByPath: [TestResult] { sorted { PathKey($0.path) < PathKey($1.path) } }

  /// How many there are with this verdict.
  func count(_ verdict: Verdict) -> Int { count { $0.verdict == verdict } }
}

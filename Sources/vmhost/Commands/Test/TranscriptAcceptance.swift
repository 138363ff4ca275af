import HostCore

/// Rewrites transcripts to what plugins do now, if `--update` asks for that.
struct TranscriptAcceptance {
  private(set) var counts = UpdateCounts()
  /// Whether a transcript could not be written.
  private(set) var hasLost = false
  /// The transcripts that were rewritten and no longer differ.
  private(set) var accepted: Set<PathKey> = []
  private let mode: TestOptions.Update?

  init(_ mode: TestOptions.Update?) { self.mode = mode }

  /// The result of accepting a transcript.
  enum Result {
    /// Nothing has to be rewritten.
    case none
    case patch([UInt8])
    /// The file was rewritten, with a message that names it.
    case done(String)
    /// The file was not rewritten, with a message that names it.
    case refused(String)
  }

  mutating func accept(_ report: TranscriptTest.Report) -> Result {
    let path = report.result.path
    guard report.refusal.isEmpty else { return .refused(Self.refusal(path, report.refusal)) }
    guard let mode, let update = report.update else { return .none }
    if mode == .patch {
      count(report)
      return .patch(UnifiedDiff.patch(from: update.old, to: update.new, path: Self.name(path)))
    }
    do throws(SystemError) {
      guard try Files.read(path) == update.old else {
        return .refused(Self.refusal(path, "it has changed since it was played."))
      }
      try Files.replace(path, with: update.new.span)
    } catch {
      hasLost = true
      return .refused(Self.refusal(path, "it could not be written: \(error.reason)."))
    }
    count(report)
    if !report.staysWrong { accepted.insert(PathKey(path)) }
    let verb = report.fillsIn ? "filled in" : "updated"
    let rest = report.staysWrong ? ", but it still fails." : ""
    return .done("\(verb): \(path.terminalSafeLine)\(rest)")
  }

  private mutating func count(_ report: TranscriptTest.Report) {
    if report.staysWrong {
      counts.stillWrong += 1
    } else if report.fillsIn {
      counts.filledIn += 1
    } else {
      counts.updated += 1
    }
  }

  private static func refusal(_ path: String, _ reason: String) -> String {
    "not updated: \(path.terminalSafeLine): \(reason)"
  }

  /// The path in a patch: relative to the current folder if the file is in it.
  private static func name(_ path: String) -> String {
    var resolver = PathResolver()
    let absolute = resolver.absolute(path).path
    guard let folder = try? Files.absolute("."), absolute.hasPrefix(folder + "/") else {
      return path
    }
    return String(absolute.dropFirst(folder.count + 1))
  }

  /// What to do next, in one or two sentences; nil if nothing was rewritten.
  ///
  /// - Parameter isFine: whether the outcome of the run is a success.
  func advice(isFine: Bool) -> String? {
    guard counts.all > 0 else { return nil }
    let number = Count.of(counts.all, "transcript")
    if mode == .patch {
      return "No file was changed: the patch is for \(number). While there is something to apply,"
        + " the status is 1, or that of what is worse."
    }
    let verb = counts.all == 1 ? "was" : "were"
    let status =
      isFine
      ? "so that nothing differs any more and the status is 0"
      : "and the status is that of what is still wrong"
    return "\(number) \(verb) rewritten, \(status). Look at the differences, and run the tests"
      + " again."
  }
}

import HostCore

/// Has transcripts say what plugins do now, where `--update` asks for that.
struct TranscriptAcceptance {
  private(set) var counts = UpdateCounts()
  /// Whether a transcript could not be written.
  private(set) var hasLost = false
  /// Those in which nothing differs any more.
  private(set) var accepted: Set<PathKey> = []
  private let mode: TestOptions.Update?

  init(_ mode: TestOptions.Update?) { self.mode = mode }

  /// What came of a transcript that may be rewritten.
  enum Result {
    /// Nothing has to be.
    case none
    case patch([UInt8])
    /// In words, with the path.
    case done(String)
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

  /// The path as a patch has it: from the present folder, if it leads there.
  private static func name(_ path: String) -> String {
    var places = PathPlaces()
    let place = places.place(of: path).path
    guard let folder = try? Files.absolute("."), place.hasPrefix(folder + "/") else { return path }
    return String(place.dropFirst(folder.count + 1))
  }

  /// What is to be done now, as a sentence or two; nil if nothing was rewritten.
  ///
  /// - Parameter isFine: whether the run ends as if all had passed.
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

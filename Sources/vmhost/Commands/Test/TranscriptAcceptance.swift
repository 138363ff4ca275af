import HostCore

/// Rewrites transcripts to what plugins do now, if `--update` asks for that.
struct TranscriptAcceptance {
  private(set) var counts = UpdateCounts()
  /// Whether a transcript could not be written.
  private(set) var hasLost = false
  /// The transcripts that were rewritten and no longer differ.
  private(set) var accepted: Set<PathKey> = []
  private let mode: TestOptions.Update?
  /// The absolute paths of the files in the patch, without links.
  private var patched: Set<PathKey> = []

  init(_ mode: TestOptions.Update?) { self.mode = mode }

  /// The result of accepting a transcript.
  enum Result {
    /// Nothing has to be rewritten.
    case none
    case patch([UInt8])
    /// The file was rewritten, with a message that names it.
    case done(String)
    /// The file was not rewritten because of its verdict, with a message that names it.
    case refused(String)
    /// The file could not be rewritten, with a message that names it.
    case lost(String)
  }

  mutating func accept(_ report: TranscriptTest.Report) -> Result {
    let path = report.result.path
    guard report.refusal.isEmpty else { return .refused(Self.refusal(path, report.refusal)) }
    guard let mode, let update = report.update else { return .none }
    if mode == .patch {
      let file = (try? Files.absolute(path)) ?? path
      // A patch changes a file once, though several links may lead to it, and none through a link.
      guard patched.insert(PathKey(file)).inserted else { return .none }
      count(path, fillsIn: report.fillsIn, staysWrong: report.staysWrong)
      return .patch(UnifiedDiff.patch(from: update.old, to: update.new, path: Self.name(file)))
    }
    if let reason = replace(path, update.old, with: update.new) {
      return .lost(Self.refusal(path, reason))
    }
    count(path, fillsIn: report.fillsIn, staysWrong: report.staysWrong)
    let verb = report.fillsIn ? "filled in" : "updated"
    let rest = report.staysWrong ? ", but it still fails." : ""
    let notes = TranscriptUpdate.Change.lines(of: report.edits?.changes.flatMap(\.notes) ?? [])
    return .done(
      (["\(verb): \(path.terminalSafeLine)\(rest)"] + notes).joined(separator: "\n"))
  }

  /// Replaces the content of a file, unless it was changed during the run.
  ///
  /// - Returns: the reason why it wasn't replaced, as a sentence; nil if it was.
  mutating func replace(_ path: String, _ old: [UInt8], with new: [UInt8]) -> String? {
    do throws(SystemError) {
      let present = try Files.read(path)
      // Another path of the same file may have been written just before.
      guard present != new else { return nil }
      guard present == old else { return "it was changed during the run." }
      try Files.replace(path, with: new.span)
      return nil
    } catch {
      hasLost = true
      return "it could not be written: \(error.reason)."
    }
  }

  /// Counts a transcript that was rewritten.
  ///
  /// - Parameters:
  ///   - fillsIn: whether it had no expectations before.
  ///   - staysWrong: whether it still fails.
  mutating func count(_ path: String, fillsIn: Bool, staysWrong: Bool) {
    if !staysWrong && mode != .patch { accepted.insert(PathKey(path)) }
    if staysWrong {
      counts.stillWrong += 1
    } else if fillsIn {
      counts.filledIn += 1
    } else {
      counts.updated += 1
    }
  }

  static func refusal(_ path: String, _ reason: String) -> String {
    "not updated: \(path.terminalSafeLine): \(reason)"
  }

  /// The path in a patch: relative to the current folder if the file is in it.
  ///
  /// - Parameter file: the absolute path, without links.
  private static func name(_ file: String) -> String {
    guard let folder = try? Files.absolute("."), file.hasPrefix(folder + "/") else { return file }
    return String(file.dropFirst(folder.count + 1))
  }

  /// What to do next, in one or two sentences; nil if nothing was rewritten.
  ///
  /// - Parameter isFine: whether the outcome of the run is a success.
  func advice(isFine: Bool) -> String? {
    guard counts.all > 0 else { return nil }
    let number = Count.of(counts.all, "transcript")
    if mode == .patch {
      return "No file was changed: the patch is for \(number). While the patch isn't empty, the"
        + " status is 1, or that of a worse result."
    }
    let verb = counts.all == 1 ? "was" : "were"
    let status =
      isFine
      ? "so that nothing differs any more and the status is 0"
      : "and the status is that of the remaining failures"
    return "\(number) \(verb) rewritten, \(status). Look at the differences, and run the tests"
      + " again."
  }
}

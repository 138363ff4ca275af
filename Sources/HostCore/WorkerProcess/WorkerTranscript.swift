/// Plays transcripts beside the plugin, and says only whether all was as their lines say. Whatever
/// else happens the host plays again, and has words for it.
enum WorkerTranscript {
  static func play(
    _ transcript: [UInt8], _ plugin: any PluginConnection, _ context: ReplayContext
  ) -> WorkerVerdict {
    // Where a second plugin is named, what came of the transcript doesn't count.
    let run = TranscriptRun(
      once: TranscriptSource(path: "", bytes: transcript), context, load: { _ in plugin })
    let observer = Observer()
    do throws(TranscriptError) {
      let steps = try run.play(compares: true, observer: observer, isInterrupted: { false })
      guard canPlay(run.summary) else { return WorkerVerdict(.notPlayed) }
      return WorkerVerdict(observer.isAsWritten ? .asWritten : .otherwise, steps: steps)
    } catch {
      return WorkerVerdict(canPlay(run.summary) ? .otherwise : .notPlayed)
    }
  }

  /// A worker has one plugin, and can't read the file of a flow. What expects nothing, or lacks its
  /// end, is the host's to judge.
  private static func canPlay(_ summary: ScriptSummary) -> Bool {
    summary.plugins.count == 1 && summary.flow == nil && summary.hasExpectations
      && summary.isRecorded == summary.isEnded
  }

  private final class Observer: TranscriptObserver {
    private(set) var isAsWritten = true

    func didPlay(
      _ step: TranscriptStep, _ comparison: StepComparison, _ difference: StepDifference?
    ) -> Bool {
      if difference != nil || comparison.fault != nil { isAsWritten = false }
      return !isAsWritten
    }

    func didLeave(_ message: String, line: Int) { isAsWritten = false }
  }
}

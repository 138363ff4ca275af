/// Plays transcripts in the worker, and only reports whether everything was as their lines expect.
/// Otherwise the host plays the transcript again, to describe the difference.
enum WorkerTranscript {
  static func play(
    _ transcript: [UInt8], _ plugin: any PluginConnection, _ context: ReplayContext,
    _ limits: StepLimits
  ) -> WorkerVerdict {
    // The loader ignores the name, since the verdict doesn't count if there is a second plugin.
    let run = TranscriptRun(
      once: TranscriptSource(path: "", bytes: transcript), context, limits,
      load: { _ in plugin })
    let observer = Observer()
    plugin.slowSteps.removeAll()
    do throws(TranscriptError) {
      let steps = try run.play(compares: true, observer: observer, isInterrupted: { false })
      // The host can say more of what took long or lives on, so it plays that itself.
      guard canPlay(run.summary), plugin.slowSteps.all.isEmpty, run.session.leaks.isEmpty else {
        return WorkerVerdict(.notPlayed)
      }
      return WorkerVerdict(observer.isAsWritten ? .asWritten : .otherwise, steps: steps)
    } catch {
      return WorkerVerdict(canPlay(run.summary) ? .otherwise : .notPlayed)
    }
  }

  /// Whether a worker can play the transcript. It has one plugin, and can't read the file of a
  /// flow. The host judges transcripts that expect nothing or lack their end.
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

    func didSkip(_ step: TranscriptStep, _ unplayed: UnplayedStep) -> Bool {
      isAsWritten = false
      return true
    }

    func didLeave(_ request: LeftRequest) { isAsWritten = false }
  }
}

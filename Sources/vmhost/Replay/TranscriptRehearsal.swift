import HostCore

/// Plays a transcript within a worker and says only whether all was as its lines say.
enum TranscriptRehearsal {
  /// What a worker does with the transcripts that it is sent.
  static func player() -> Rehearsal.Player {
    let resources = ReplayResources(pluginPath: [])
    return { plugin, transcript in play(transcript, plugin, resources) }
  }

  private static func play(
    _ transcript: [UInt8], _ plugin: any PluginConnection, _ resources: ReplayResources
  ) -> Rehearsal {
    guard let survey = survey(transcript), survey.hasExpectations,
      // A worker can't read files.
      survey.flow == nil,
      survey.isRecorded == survey.isEnded
    else { return Rehearsal(.notPlayed) }
    let file = TranscriptFile(
      TranscriptSource(path: "", bytes: transcript), survey: survey, isCut: false)
    let observer = Observer()
    do {
      let replay = try ReplaySession(
        file, resources.secrets(file.survey.secrets), locate: { $0 }, load: { _, _ in plugin })
      let player = TranscriptPlayer(
        try TranscriptReader(file.source), replay.runner, found: replay.found, compares: true,
        breaksOff: false, observer: observer, isInterrupted: { false })
      try player.play()
      try replay.session.finish()
      return Rehearsal(observer.isAsWritten ? .asWritten : .otherwise, steps: player.steps)
    } catch {
      // The host finds out what it was, and has words for it.
      return Rehearsal(.otherwise)
    }
  }

  /// What a transcript says of itself; nil for one that isn't well-formed as far as that goes. Its
  /// other lines are not looked at before they are played.
  private static func survey(_ transcript: [UInt8]) -> ScriptSummary? {
    guard transcript.starts(with: "vmt 1\n".utf8), transcript.last == UInt8(ascii: "\n") else {
      return nil
    }
    var directives: [UInt8] = []
    var isDirective = false
    var hasExpectations = false
    var hasEnded = false
    var start = 0
    while start < transcript.count {
      let end = (transcript.span.firstIndex(of: 0x0a, from: start) ?? transcript.count - 1) + 1
      switch transcript[start] {
      // Steps and directives may be written as JSON, which is not looked into here.
      case UInt8(ascii: "{"): return nil
      case UInt8(ascii: "@"): isDirective = true
      case UInt8(ascii: " "): break
      case UInt8(ascii: "<"), UInt8(ascii: "?"), UInt8(ascii: "x"):
        isDirective = false
        hasExpectations = true
      default: isDirective = false
      }
      // The survey knows what may come after @end; only the directives are shown to it.
      let isSilent = transcript[start] == UInt8(ascii: "#") || transcript[start] == 0x0a
      if hasEnded && !isSilent { return nil }
      hasEnded = hasEnded || transcript[start..<end].starts(with: "@end".utf8)
      if isDirective { directives.append(transcript.span.extracting(start..<end)) }
      start = end
    }
    guard var survey = try? ScriptSummary(directives, source: "") else { return nil }
    survey.hasExpectations = hasExpectations
    return survey
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

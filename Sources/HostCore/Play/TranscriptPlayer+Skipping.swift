/// Steps that can't be played.
extension TranscriptPlayer {
  /// Goes on after a step that the session gave up.
  ///
  /// - Parameter range: the events of the step so far.
  /// - Throws: the error, unless it is the plugin's doing and the session goes on.
  func abort(_ step: TranscriptStep, _ range: Range<Int>, _ error: any Error) throws {
    if !range.isEmpty || SessionFailure(error).refusal == nil {
      try check(step, range, isWhole: false)
    }
    if !isOver { try skip(step, after: error) }
  }

  /// Reports a step that could not be played.
  ///
  /// - Throws: the error, unless it is the plugin's doing and the session goes on.
  func skip(_ step: TranscriptStep, after error: any Error) throws {
    do throws(ScriptError) { try step.checkValue() } catch { throw located(error, at: step) }
    let failure = located(error, at: step)
    guard let isDifference = try isDifference(SessionFailure(error), of: step, failure) else {
      return
    }
    if isDifference { hasDifference = true }
    let (summary, details) = failure.parts(in: reader.path)
    let unplayed = UnplayedStep(
      line: failure.line, summary: summary, details: details, isDifference: isDifference)
    if observer.didSkip(step, unplayed) { isOver = true }
  }

  /// Whether it is a difference that a step could not be played, and not only what an earlier
  /// difference led to; nil if it is nothing at all.
  ///
  /// - Throws: the located error, as `skip`.
  private func isDifference(
    _ failure: SessionFailure, of step: TranscriptStep, _ located: TranscriptError
  ) throws(TranscriptError) -> Bool? {
    // The recorder would have removed the line of its last step if it hadn't been ended.
    if breaksOff, failure.kind.isMistake, step.numbers == lastStep { return nil }
    switch failure.refusal {
    case nil, .syntax, .unsupported, .notLoaded, .endless: throw located
    case .unknownViewModel where session.manifests.isEmpty: throw located
    case .unknownInput, .value, .refusedByPlugin, .unknownViewModel: return true
    case .handleTaken where !hasOpen(step): throw located
    case .config, .unknownInstance, .closed, .handleTaken, .unknownRequest:
      guard !isImpossible(step.numbers.lowerBound) else {
        throw TranscriptError(invalid: located.message, line: located.line)
      }
      return failure.refusal == .config || !hasDifference
    }
  }

  /// Whether an instance has the handle that a step opens. Otherwise the flow keeps it for another.
  private func hasOpen(_ step: TranscriptStep) -> Bool {
    guard case .command(.open(let viewModel, let handle, _)) = step.action else { return false }
    return session.isOpen(handle ?? ViewModelManifest.defaultHandle(of: viewModel))
  }

  func isImpossible(_ line: Int) -> Bool {
    if impossible == nil {
      impossible = ImpossibleLines(reader.source, hasFlow: session.flow != nil)
    }
    return impossible?.lines.contains(line) == true
  }
}

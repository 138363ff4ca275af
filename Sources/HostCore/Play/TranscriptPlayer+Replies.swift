/// Replies whose requests are others now, if a transcript is to be rewritten.
extension TranscriptPlayer {
  /// The command for the request that a reply is for; nil if it isn't made yet. Any other command
  /// stays as it is.
  func routed(_ command: ScriptCommand, _ step: inout TranscriptStep) -> ScriptCommand? {
    guard let matching, let (handle, id) = command.answered else { return command }
    let anchor = step.rerouting?.anchor
    switch matching.route(handle, id, session) {
    // A mistake of the file shows where it is.
    case .later: return isImpossible(step.numbers.lowerBound) ? command : nil
    case .to(let request):
      step.rerouting = .init(id: request.id, requestStep: request.step, anchor: anchor)
      return command.answering(request.id)
    case .asWritten:
      step.rerouting?.anchor = anchor
      return command
    }
  }

  /// Makes the replies whose requests are made by now, behind the step that makes them.
  func makeWaiting() throws {
    try flush()
    expected.removeAll()
    guard matching?.takeNews() == true else { return }
    var index = 0
    while index < waiting.count, !isOver {
      var (step, lines) = waiting[index]
      guard case .command(let command) = step.action, let (handle, id) = command.answered,
        let requestStep = matching?.ready(handle, id, session)
      else {
        index += 1
        continue
      }
      waiting.remove(at: index)
      step.rerouting = .init(id: id, requestStep: requestStep, anchor: anchor)
      swap(&expected, &lines)
      try make(command, &step)
      // It may have led to a request that an earlier one waits for.
      index = 0
    }
  }

  /// Reports the replies whose requests never came.
  func reportOrphans() {
    for (step, lines) in waiting where !isOver {
      guard case .command(let command) = step.action, let (handle, id) = command.answered else {
        continue
      }
      let name = handle.map { "\($0).\(id)" } ?? "\(id)"
      let orphanStep = matching?.step(of: handle, id, session) ?? step.numbers.lowerBound
      let unplayed = UnplayedStep(
        line: step.numbers.lowerBound, summary: "request \(name) isn't made any more.", details: "",
        isDifference: false, orphan: (orphanStep, step.allLines(lines)))
      isOver = observer.didSkip(step, unplayed)
    }
  }
}

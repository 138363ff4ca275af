/// What a flow may still do in a step before it counts as endless.
struct FlowBudget {
  private var actions = Flow.mostActions
  /// Whether it ran out: then nothing more is done.
  private(set) var isSpent = false

  mutating func takeAction() throws(SessionError) {
    guard actions > 0 else {
      isSpent = true
      throw SessionError(
        .refused,
        "the flow opened, closed and fed \(Flow.mostActions) times in one step, and it still goes"
          + " on.")
    }
    actions -= 1
  }
}

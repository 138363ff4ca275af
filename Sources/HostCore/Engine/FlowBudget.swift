/// The actions and bytes that a flow has left in a step before it counts as endless.
struct FlowBudget {
  private var actions = FlowRules.maxActions
  private let maxBytes: Int
  private var bytes: Int
  /// Whether the budget ran out. The flow does nothing more in this step then.
  private(set) var isSpent = false

  /// - Parameter bytes: the bytes of configs and values that a flow may pass on in one step.
  init(bytes: Int) {
    maxBytes = bytes
    self.bytes = bytes
  }

  mutating func takeAction() throws(SessionError) {
    guard actions > 0 else {
      throw spent(
        "the flow opened, closed or fed more than \(FlowRules.maxActions) times in one step.")
    }
    actions -= 1
  }

  mutating func take(bytes count: Int) throws(SessionError) {
    try check(bytes: count)
    bytes -= count
  }

  /// Throws if a value that is being built has more bytes than are left.
  mutating func check(bytes count: Int) throws(SessionError) {
    guard count > bytes else { return }
    throw spent(
      "the configs and values that the flow gives in one step have more than \(maxBytes) bytes."
        + " \(StepLimits.advice(.bytes)).")
  }

  private mutating func spent(_ description: String) -> SessionError {
    isSpent = true
    return SessionError(.mistake(.unsupported), description)
  }
}

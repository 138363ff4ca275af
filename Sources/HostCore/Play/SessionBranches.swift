/// The histories of a session that goes back and does something else then. Each such time a branch
/// begins, and the one before stays as it was.
///
/// A branch has all steps from the session's beginning on. Those that branches share are in memory
/// once.
package struct SessionBranches {
  private struct Branch {
    let number: Int
    /// The step behind which it leaves the branch that it began in; 0 for the first one.
    let from: Int
    var history: SessionHistory

    /// Roughly how much memory it takes, besides what it shares with another one up to a step.
    func bytes(sharing steps: Int) -> Int { history.bytes(from: steps) }
  }

  /// In the order of their numbers.
  private var kept: [Branch] = []
  /// The branch where the session is.
  package private(set) var current = 1
  /// The highest number so far.
  private var last = 1
  /// How many steps of the current branch the session had when it was last looked at.
  private var start = 0
  /// Roughly how much memory all of them take, besides what they share with the session.
  private var bytes = 0

  /// Takes what has happened in the session. If that is something else than in the current branch,
  /// a new one begins.
  mutating func take(_ history: SessionHistory) {
    if let index = kept.firstIndex(where: { $0.number == current }) {
      guard history.steps > start else { return }
      if kept[index].history.steps > start {
        last += 1
        current = last
        kept.append(Branch(number: current, from: start, history: history))
      } else {
        kept[index].history = history
      }
    } else {
      kept.append(Branch(number: current, from: 0, history: history))
    }
    start = history.steps
    drop(beside: history)
  }

  /// Notes that the session is at a step of a branch.
  ///
  /// - Parameter history: the branch, in which requests may have other numbers by now.
  mutating func go(to step: Int, of number: Int, _ history: SessionHistory) {
    guard let index = kept.firstIndex(where: { $0.number == number }) else { return }
    kept[index].history = history
    (current, start) = (number, step)
    count()
  }

  /// Forgets all branches but the current one, whose steps are others from now on.
  ///
  /// - Parameter history: what the steps were.
  mutating func restart(after history: SessionHistory) {
    take(history)
    forget()
  }

  private mutating func forget() { (kept, start, bytes) = ([], 0, 0) }

  /// The history of a branch; nil for the current one.
  ///
  /// - Throws: `ScriptError` if there is no such branch.
  func history(of number: Int?) throws(ScriptError) -> SessionHistory {
    let number = number ?? current
    if let branch = kept.first(where: { $0.number == number }) { return branch.history }
    let reason =
      number <= last
      ? "branch \(number) isn't kept any more."
      : "there is no branch \(number): the last one is \(last)."
    throw ScriptError(reason, at: .subject, code: .unsupported)
  }

  /// The branches that the session can go to.
  var summaries: [SessionChange.Branch] {
    kept.map {
      SessionChange.Branch(number: $0.number, from: $0.from, steps: $0.history.steps)
    }
  }

  // MARK: Memory

  /// Whether the session has so much history by now that branches have to be dropped.
  func isFull(beside history: SessionHistory) -> Bool {
    !kept.isEmpty && (history.isDropped || bytes + history.bytes > history.maxBytes)
  }

  /// Drops the oldest branches that don't fit into memory beside the session.
  private mutating func drop(beside history: SessionHistory) {
    count()
    if history.isDropped { forget() }
    while isFull(beside: history), let oldest = kept.firstIndex(where: { $0.number != current }) {
      kept.remove(at: oldest)
      count()
    }
  }

  private mutating func count() {
    bytes = kept.reduce(0) {
      $0 + $1.bytes(sharing: $1.number == current ? start : $1.from)
    }
  }
}

import HostCore

/// Asks a person at the terminal about each group of changes, and writes those that are accepted.
final class ChangeReview {
  private enum Decision { case accepted, rejected, skipped }

  private static let question = "Accept it? [a, r, s, A, R, S, q, ?] "
  private static let help = """
    a  accept: write it into the transcripts
    r  reject: the plugin is wrong; the transcripts stay, and it counts as a failure
    s  skip: decide another time; the transcripts stay
    A, R, S  do this with it and all that remain
    q  quit, as do Ctrl-C and Ctrl-D: what was accepted stays written

    """

  private let changes: ChangeGroups
  private let console: TestConsole
  private let signals: SignalWatch
  private var keys = TestKeys()
  private var decisions: [Decision?]
  /// The indices of the files.
  private let indices: [PathKey: Int]
  /// The accepted changes of each file.
  private var accepted: [Set<Int>]
  /// What each file has in it.
  private var contents: [[UInt8]]
  private(set) var acceptance: TranscriptAcceptance

  init(
    _ changes: ChangeGroups, _ acceptance: TranscriptAcceptance, _ console: TestConsole,
    _ signals: SignalWatch
  ) {
    self.changes = changes
    self.acceptance = acceptance
    self.console = console
    self.signals = signals
    decisions = Array(repeating: nil, count: changes.groups.count)
    accepted = Array(repeating: [], count: changes.files.count)
    contents = changes.files.map(\.old)
    indices = Dictionary(
      zip(changes.files.map { PathKey($0.path) }, changes.files.indices),
      uniquingKeysWith: { first, _ in first })
  }

  /// A transcript of which only some changes were accepted, as it fails now.
  func remainder(of result: TestResult) -> TestResult {
    guard let index = indices[PathKey(result.path)], !accepted[index].isEmpty else {
      return result
    }
    let update = changes.files[index].update
    guard let left = update.changes.indices.first(where: { !accepted[index].contains($0) }) else {
      return result
    }
    var result = result
    result.line = update.line(of: left, accepting: accepted[index])
    result.summary = update.changes[left].difference.summary
    return result
  }

  /// Whether something fails that the results don't show: a change was rejected, or only a part of
  /// what fills in a script was accepted.
  var leavesFailure: Bool {
    decisions.contains(.rejected)
      || zip(changes.files, accepted).contains { file, accepted in
        file.fillsIn && !accepted.isEmpty && accepted.count < file.update.changes.count
      }
  }

  /// Asks until every group is decided on, or the person has had enough.
  func run() throws {
    guard !changes.groups.isEmpty else { return }
    let terminal = try RawTerminal(Descriptor.standardInput)
    let outcome = Result { try ask() }
    let restoration = Result { try terminal.restore() }
    count()
    // A terminal that has gone fails in both, and the first says more.
    try outcome.get()
    try restoration.get()
    try console.show(summary)
  }

  private func ask() throws {
    try keys.discard()
    for index in changes.groups.indices {
      try console.show(changes.text(index, console.style) + "\n")
      guard let key = try decision() else {
        try console.show("quit\n\n")
        return
      }
      let indices = key.isUppercase ? index..<changes.groups.count : index..<index + 1
      switch key.lowercased() {
      case "a": try accept(indices)
      case "r": try decide(indices, .rejected)
      default: try decide(indices, .skipped)
      }
      if key.isUppercase { return }
    }
  }

  /// The key of a decision; nil if the person wants no more of it.
  private func decision() throws -> Character? {
    try console.show(Self.question)
    while let key = try keys.next(signals) {
      switch key {
      case "a", "r", "s", "A", "R", "S": return key
      case "q": return nil
      case "?": try console.show("\n" + Self.help + Self.question)
      default: break
      }
    }
    return nil
  }

  private func decide(_ indices: Range<Int>, _ decision: Decision) throws {
    for index in indices { decisions[index] = decision }
    try console.show((decision == .rejected ? "rejected" : "skipped") + "\n\n")
  }

  // MARK: Writing

  /// Writes the files of these groups, each once.
  private func accept(_ indices: Range<Int>) throws {
    var fresh: [Int: Set<Int>] = [:]
    for place in indices.flatMap({ changes.groups[$0].places }) {
      fresh[place.file, default: []].insert(place.change)
    }
    var failures: [(file: Int, reason: String)] = []
    for file in fresh.keys.sorted() {
      // Each file is old or new as a whole, so that this can end between two.
      guard !signals.hasCome else { return }
      if let reason = write(file, fresh[file, default: []]) { failures.append((file, reason)) }
    }
    let lost = Set(failures.map(\.file))
    for index in indices
    where !changes.groups[index].places.contains(where: { lost.contains($0.file) }) {
      decisions[index] = .accepted
    }
    let written = Count.of(fresh.count - failures.count, "transcript")
    try console.show("accepted: \(written) rewritten\n\(Self.text(of: failures, changes))\n")
  }

  /// - Returns: the reason why the file wasn't rewritten; nil if it was.
  private func write(_ index: Int, _ fresh: Set<Int>) -> String? {
    let file = changes.files[index]
    let wanted = accepted[index].union(fresh)
    let content = file.update.apply(to: file.old, accepting: wanted.contains)
    if let reason = acceptance.replace(file.path, contents[index], with: content) { return reason }
    accepted[index] = wanted
    contents[index] = content
    return nil
  }

  /// Why files were not written: those with the same reason together.
  private static func text(
    of failures: [(file: Int, reason: String)], _ changes: ChangeGroups
  ) -> String {
    var reasons: [String] = []
    for failure in failures where !reasons.contains(failure.reason) {
      reasons.append(failure.reason)
    }
    return reasons.map { reason in
      let files = failures.filter { $0.reason == reason }
      let others =
        files.count > 1 ? " The same of \(Count.of(files.count - 1, "more transcript"))." : ""
      return TranscriptAcceptance.refusal(changes.files[files[0].file].path, reason) + others + "\n"
    }.joined()
  }

  // MARK: The end

  private func count() {
    for (file, accepted) in zip(changes.files, accepted) where !accepted.isEmpty {
      let isWhole = accepted.count == file.update.changes.count
      acceptance.count(
        file.path, fillsIn: file.fillsIn, staysWrong: file.staysWrong || !isWhole)
    }
  }

  /// What was decided, and each change that was rejected.
  private var summary: String {
    let parts: [(Decision?, String)] = [
      (.accepted, "accepted"), (.rejected, "rejected"), (.skipped, "skipped"), (nil, "left over"),
    ]
    let counts = parts.compactMap { decision, text in
      let count = decisions.count { $0 == decision }
      return count > 0 ? "\(count) \(text)" : nil
    }
    let rejected = decisions.indices.filter { decisions[$0] == .rejected }.map {
      "\(console.style.error("rejected")): \(changes.summary($0))\n"
    }
    return rejected.joined() + (rejected.isEmpty ? "" : "\n")
      + "\(Count.of(decisions.count, "change")): \(counts.joined(separator: ", "))\n\n"
  }
}

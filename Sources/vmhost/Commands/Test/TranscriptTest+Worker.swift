import HostCore

extension TranscriptTest {
  /// A transcript that is about to be tested.
  struct File {
    /// Its place among all that are tested.
    let index: Int
    let path: String
    /// Nil if it can't be read. The error is reported when the transcript is played.
    let source: TranscriptSource?
  }

  /// The result of playing a transcript in a worker.
  enum WorkerRun {
    /// The transcript passed.
    case passed(WorkerVerdict, changed: [ChangedPlugin])
    /// The host has to play the transcript. The text is what the plugin did wrong in the worker; if
    /// the transcript passes in the host, the plugin is nondeterministic.
    case open(String?)
  }

  /// A transcript that a worker can play.
  private struct Candidate {
    let head: ScriptSummary
    let bytes: [UInt8]
    let plugin: (path: String, name: String)
  }

  /// How many failures in a row make it likely that the next transcript fails, too, so that playing
  /// it in the worker is in vain.
  private static let maxFailures = 2

  /// Lets a worker play and compare transcripts, which takes one exchange. What doesn't pass there
  /// is played by the host step by step, which reports why.
  ///
  /// - Returns: the results of the first ones, which use the same plugin; at least one.
  func playInWorker(_ files: ArraySlice<File>) -> [WorkerRun] {
    let batch = batch(of: files)
    guard let (path, name) = batch.first?.plugin,
      let plugin = try? pool.connection(path, name) as? RemotePlugin
    else { return [.open(nil)] }
    let verdicts = plugin.play(batch.map(\.bytes))
    var runs = zip(batch, verdicts).map { candidate, verdict in
      switch verdict.finding {
      case .asWritten:
        WorkerRun.passed(verdict, changed: ChangedPlugin.all(of: [plugin], since: candidate.head))
      case .notPlayed: WorkerRun.open(nil)
      case .otherwise: WorkerRun.open(Self.otherwise)
      }
    }
    if plugin.ending != nil {
      runs.append(.open(plugin.failure == .crash ? "crashed." : nil))
      pool.removeAll()
    }
    return runs
  }

  /// The first transcripts that one worker can play.
  private func batch(of files: ArraySlice<File>) -> [Candidate] {
    guard options.playsInWorker, failures < Self.maxFailures else { return [] }
    var batch: [Candidate] = []
    var size = 0
    for file in files.prefix(WorkerVerdict.maxBatch) {
      guard let next = file.source.flatMap(candidate),
        batch.isEmpty || next.plugin.path == batch[0].plugin.path
      else { break }
      size += next.bytes.count
      guard size <= WorkerVerdict.maxBatchBytes else { break }
      batch.append(next)
    }
    return batch
  }

  private func candidate(_ source: TranscriptSource) -> Candidate? {
    guard let bytes = source.bytes, bytes.count <= WorkerVerdict.maxTranscriptBytes,
      let head = TranscriptReader.head(of: source), !isSkipped(head),
      let name = head.plugins.first, let path = try? context.path(of: name, in: source.folder)
    else { return nil }
    return Candidate(head: head, bytes: bytes, plugin: (path, name))
  }

  /// Whether a transcript with its new lines passes in a worker that differs in ways that must not
  /// matter. Then a second run emits what the first one did.
  func passesInVariedWorker(_ path: String, _ new: [UInt8]) -> Bool {
    guard options.playsInWorker,
      let candidate = candidate(TranscriptSource(path: path, bytes: new)),
      let plugin = try? variedPool.connection(candidate.plugin.path, candidate.plugin.name)
        as? RemotePlugin
    else { return false }
    let verdict = plugin.play([candidate.bytes]).first
    if plugin.ending != nil { variedPool.removeAll() }
    return verdict?.finding == .asWritten
  }

  /// What a plugin did that does something else in another process.
  static let otherwise =
    "didn't do what its lines say. Does it keep something in a global variable?"

  /// Plays a transcript again that has failed in a process that others have used, unless such a
  /// failure of its plugins was confirmed before: a new process for each failure would cost more
  /// than all else.
  ///
  /// - Returns: the report of the new process; nil if none was needed.
  func confirm(_ path: String, _ source: TranscriptSource) -> Report? {
    let plugins = TranscriptReader.head(of: source)?.plugins ?? []
    guard !options.isInProcess, confirmations[plugins] != true else { return nil }
    let report = play(path, source, nil, makePool()).report
    confirmations[plugins] =
      report.result.verdict == .failed && confirmations[plugins] != false
    return report
  }
}

import HostCore

extension TranscriptTest {
  /// The result of playing a transcript in a worker.
  enum WorkerRun {
    /// The transcript passed, with a number of steps, and with changed plugins.
    case passed(steps: Int, changed: [ChangedPlugin])
    /// The host has to play the transcript. The text is what the plugin did wrong in the worker; if
    /// the transcript passes in the host, the plugin is nondeterministic.
    case open(String?)
  }

  /// How many failures in a row make it likely that the next transcript fails, too, so that playing
  /// it in the worker is in vain.
  private static let maxFailures = 2

  /// Lets a worker play and compare a transcript, which takes one exchange. If it doesn't pass
  /// there, the host plays it step by step and reports why.
  func playInWorker(_ source: TranscriptSource) -> WorkerRun {
    guard options.playsInWorker, failures < Self.maxFailures, let transcript = source.bytes,
      transcript.count <= WorkerVerdict.maxTranscriptBytes,
      let head = TranscriptReader.head(of: source), !isSkipped(head),
      let name = head.plugins.first,
      let path = try? context.path(of: name, in: source.folder),
      let plugin = try? pool.connection(path, name) as? RemotePlugin
    else { return .open(nil) }
    guard let verdict = plugin.play(transcript) else {
      defer { pool.removeAll() }
      return .open(plugin.failure == .crash ? "crashed." : nil)
    }
    switch verdict.finding {
    case .asWritten:
      return .passed(steps: verdict.steps, changed: ChangedPlugin.all(of: [plugin], since: head))
    case .notPlayed: return .open(nil)
    case .otherwise:
      return .open(Self.otherwise)
    }
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

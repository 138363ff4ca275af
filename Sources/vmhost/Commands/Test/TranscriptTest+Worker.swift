import HostCore

extension TranscriptTest {
  /// The result of playing a transcript in a worker.
  enum WorkerRun {
    /// The transcript passed, with a number of steps.
    case passed(steps: Int)
    /// The host has to play the transcript. The text is what the plugin did wrong in the worker; if
    /// the transcript passes in the host, the plugin is nondeterministic.
    case open(String?)
  }

  /// Lets a worker play and compare a transcript, which takes one exchange. If it doesn't pass
  /// there, the host plays it step by step and reports why.
  func playInWorker(_ source: TranscriptSource) -> WorkerRun {
    guard options.playsInWorker, let transcript = source.bytes,
      transcript.count <= WorkerVerdict.maxTranscriptBytes,
      let name = TranscriptReader.firstPlugin(in: source),
      let path = try? context.path(of: name, in: source.folder),
      let plugin = try? pool.connection(path, name) as? RemotePlugin
    else { return .open(nil) }
    guard let verdict = plugin.play(transcript) else {
      defer { pool.removeAll() }
      return .open(plugin.failure == .crash ? "crashed." : nil)
    }
    switch verdict.finding {
    case .asWritten: return .passed(steps: verdict.steps)
    case .notPlayed: return .open(nil)
    case .otherwise:
      // The worker's session may not have ended.
      pool.removeAll()
      return .open(
        "did something else than its lines say. Does it keep something in a global variable?")
    }
  }
}

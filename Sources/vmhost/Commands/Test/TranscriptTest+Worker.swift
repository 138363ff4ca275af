import HostCore

extension TranscriptTest {
  /// What came of a transcript that a worker was to play on its own.
  enum WorkerRun {
    /// It passed, with so many steps.
    case passed(steps: Int)
    /// The host plays it. In words: what the plugin did that doesn't go with passing then.
    case open(String?)
  }

  /// Has a worker play a transcript and compare, which takes one exchange. Whatever it doesn't find
  /// to be as its lines say, the host plays itself, step by step, and says why.
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
      // It may not have come to an end.
      pool.removeAll()
      return .open(
        "did something else than its lines say. Does it keep something in a global variable?")
    }
  }
}

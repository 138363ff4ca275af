import HostCore

extension TranscriptTest {
  /// What came of a transcript that a worker was to play on its own.
  enum Rehearsed {
    /// It passed, with so many steps.
    case passed(steps: Int)
    /// The host plays it. In words: what the plugin did that doesn't go with passing then.
    case open(String?)
  }

  /// Has a worker play a transcript and compare, which takes one exchange. Whatever it doesn't find
  /// to be as its lines say, the host plays itself, step by step, and says why.
  func rehearse(_ source: TranscriptSource) -> Rehearsed {
    guard options.rehearses, let transcript = source.bytes,
      transcript.count <= Rehearsal.longestTranscript,
      let name = Self.onlyPlugin(of: transcript),
      let path = try? resources.path(of: name, in: source.folder),
      let plugin = try? pool.connection(path, name) as? RemotePlugin
    else { return .open(nil) }
    switch plugin.rehearse(transcript) {
    case let rehearsal? where rehearsal.verdict == .asWritten:
      return .passed(steps: rehearsal.steps)
    case let rehearsal? where rehearsal.verdict == .notPlayed: return .open(nil)
    case _?:
      // It may not have come to an end.
      pool.removeAll()
      return .open(
        "did something else than its lines say. Does it keep something in a global variable?")
    case nil:
      defer { pool.removeAll() }
      return .open(plugin.failure == .crash ? "crashed." : nil)
    }
  }

  /// The name in the only `@plugin` line; nil if there are none or more.
  private static func onlyPlugin(of transcript: [UInt8]) -> String? {
    let word = Array("@plugin ".utf8)
    var name: Range<Int>?
    var start = 0
    while start < transcript.count {
      let end = transcript[start...].firstIndex(of: 10) ?? transcript.count
      if transcript[start..<end].starts(with: word) {
        guard name == nil else { return nil }
        name = start + word.count..<end
      }
      start = end + 1
    }
    return name.map { String(repairing: transcript.span.extracting($0)) }
  }
}

/// A plugin whose library isn't the one that a transcript was recorded with.
package struct ChangedPlugin: Hashable, Sendable {
  package let id: String
  /// The SHA-256 in the transcript.
  package let recorded: String
  /// That of the library that was loaded.
  package let found: String

  /// Those of the plugins that are loaded. Where a transcript or a plugin has no hash, nothing is
  /// known to have changed.
  package static func all(
    of connections: [any PluginConnection], since summary: ScriptSummary
  ) -> [ChangedPlugin] {
    guard !summary.recordedDigests.isEmpty else { return [] }
    return connections.compactMap { connection in
      let id = connection.manifest.id
      guard let recorded = summary.recordedDigests[id], let found = connection.digest,
        recorded != found
      else { return nil }
      return ChangedPlugin(id: id, recorded: recorded, found: found)
    }
  }

  /// What is wrong with a transcript that only the library of its recording may pass.
  package var failure: String {
    "\(id) is not the library that this was recorded with: its SHA-256 is \(found), and was"
      + " \(recorded.terminalSafeLine)."
  }

  /// One sentence for each plugin.
  ///
  /// - Parameter transcripts: the changed plugins of each transcript.
  package static func notes(_ transcripts: [[ChangedPlugin]]) -> [String] {
    let byID = Dictionary(grouping: transcripts.joined(), by: \.id)
    return byID.sorted { $0.key < $1.key }.map { id, changed in
      let recorded = Set(changed.map(\.recorded))
      let earlier =
        recorded.count == 1 ? changed[0].recorded.terminalSafeLine : "one of \(recorded.count)"
      let verb = changed.count == 1 ? "was" : "were"
      return "\(id) is not the library that \(Count.of(changed.count, "transcript")) \(verb)"
        + " recorded with: its SHA-256 is \(changed[0].found), and was \(earlier)."
    }
  }
}

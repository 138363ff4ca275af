import HostCore

/// Renames in transcripts what plugins have renamed, before they are played.
struct TranscriptRenaming {
  /// The transcripts that were rewritten.
  let paths: [String]
  /// What was done, in one or two sentences.
  let notice: String

  /// Rewrites the files. If something is wrong with a name or a file, none is rewritten.
  init(_ renames: TranscriptRenames, in paths: [String]) throws(Failure) {
    var renames = renames
    var files: [(path: String, old: [UInt8], new: [UInt8])] = []
    for path in paths {
      let old: [UInt8]
      do throws(SystemError) { old = try Files.read(path) } catch {
        throw Failure(.usage, "could not read the transcript \"\(path)\": \(error.reason).")
      }
      do throws(TranscriptError) {
        let new = try renames.rewrite(TranscriptSource(path: path, bytes: old))
        if new != old { files.append((path, old, new)) }
      } catch { throw Failure(.usage, "--rename: \(error.message)") }
    }
    if let problem = renames.unmatched { throw Failure(.usage, "--rename: \(problem)") }
    var acceptance = TranscriptAcceptance(.inPlace)
    for (index, file) in files.enumerated() {
      guard let reason = acceptance.replace(file.path, file.old, with: file.new) else { continue }
      throw Failure(
        acceptance.hasLost ? .outputLost : .usage,
        "--rename: \(TranscriptAcceptance.refusal(file.path, reason)) Before it, \(index) of"
          + " \(Count.of(files.count, "transcript")) were rewritten.")
    }
    self.paths = files.map(\.path)
    let flows = renames.flows.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    notice =
      "renamed \(Count.of(renames.lineCount, "line")) in \(Count.of(files.count, "transcript"))"
      + (flows.isEmpty ? "\n\n" : "; flow files stay as they are: \(flows)\n\n")
  }
}

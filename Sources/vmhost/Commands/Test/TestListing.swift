import HostCore

/// The list of what a run would play, for `--list`.
enum TestListing {
  enum Format { case text, jsonl }

  static func show(_ options: TestOptions, as format: Format) throws -> Outcome {
    let timings = try options.timings.map { path throws(Failure) in try Timings.read(path) }
    let selection = try TestSelection(options, timings: timings)
    if let notice = selection.notice { Console.complain("vmhost: \(notice)\n") }
    let output = Output(isForPrograms: format == .jsonl)
    for path in selection.paths {
      let head = TranscriptChoice.head(of: path)
      let line =
        switch format {
        case .text: text(path, options.includesSkipped ? nil : head?.skip)
        case .jsonl: TestEvents.line(transcript: path, tags: head?.tags ?? [], skip: head?.skip)
        }
      output.write { $0 += line }
    }
    try output.flush()
    return .success
  }

  private static func text(_ path: String, _ skip: String?) -> [UInt8] {
    let mark = skip.map { "  # skipped: \($0)" } ?? ""
    return Array("\((path + mark).terminalSafeLine)\n".utf8)
  }
}

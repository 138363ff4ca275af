import HostCore

/// `vmhost merge-reports`: reports on the shards of a run as if it had not been divided.
enum MergeReportsCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    let isPartial = arguments.flag("partial")
    var shards: [RecordedRun] = []
    for path in arguments.positionals {
      shards.append(try TestEventsReader.read(path, isPartial: isPartial))
    }
    let merge = try ShardMerge(shards, isPartial: isPartial)
    // The summary comes first, so that it is shown even if a report can't be written.
    try print(merge)
    try write(merge, arguments)
    return merge.outcome
  }

  private static func print(_ merge: ShardMerge) throws(Failure) {
    let style = Style(
      isTerminal: Descriptor.isTerminal(Descriptor.standardOutput), variable: Environment.value)
    let summary = TestSummary(
      results: merge.results, duration: merge.duration, gaps: merge.gaps)
    let output = Output()
    let token = Annotations.isWanted(variable: Environment.value) ? Annotations.newToken() : nil
    if let token { output.write { $0 += Array(Annotations.stop(token).utf8) } }
    output.write { $0 += Array(summary.text(style).utf8) }
    if let token { output.write { $0 += Array(Annotations.resume(token).utf8) } }
    do throws(SystemError) { try output.flush() } catch { throw Failure(error) }
  }

  private static func write(
    _ merge: ShardMerge, _ arguments: ParsedArguments
  ) throws(Failure) {
    if let path = arguments.value(of: "junit") {
      try ReportFile.write(JUnitReport.bytes(merge.results, missing: merge.missing), to: path)
    }
    if let path = arguments.value(of: "events") {
      try ReportFile.write(events(merge), to: path)
    }
    if let path = arguments.value(of: "html") {
      try ReportFile.write(merge.page.bytes(events: events(merge)), to: path)
    }
    if let path = arguments.value(of: "timings") {
      var timings = try Timings.read(path)
      timings.merge(merge.results)
      try timings.write(path)
    }
  }

  private static func events(_ merge: ShardMerge) -> [UInt8] {
    let end = TestEvents.End(
      duration: merge.duration, status: merge.outcome.status, missing: merge.missing)
    return TestEvents.lines(merge.run, merge.results, end)
  }
}

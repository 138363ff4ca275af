import CanonicalJSON
import HostCore

/// The page of a run of tests: its results, what differs, and the sessions of the failures.
struct TestPage: Sendable, Equatable {
  /// A difference between what a plugin did and what a transcript says.
  struct Difference: Sendable, Equatable {
    /// The same for differences that are the same, in whichever file.
    let key: String
    /// The line, from 1; 0 for none.
    let line: Int
    let summary: String
    let lines: [JSONValue]
  }

  /// The same difference in one or more transcripts.
  private struct Group: Sendable, Equatable {
    let first: Difference
    var files: [JSONValue] = []
  }

  /// How many bytes the sessions may have together. Others are left out, so that a browser can
  /// show the page.
  private static let maxTraceBytes = 100_000_000

  private var groups: [Group] = []
  private var indices: [String: Int] = [:]
  private var traces: [UInt8] = []
  /// The ports; nil if they weren't counted.
  var coverage: PortCoverage?

  /// Adds what differs in a transcript.
  mutating func add(_ differences: [Difference], of path: String) {
    for difference in differences {
      let file = JSONValue.object([
        "path": .string(path), "line": .number(JSONNumber(difference.line)),
      ])
      add(difference, in: [file])
    }
  }

  private mutating func add(_ difference: Difference, in files: [JSONValue]) {
    guard let index = indices[difference.key] else {
      indices[difference.key] = groups.count
      return groups.append(Group(first: difference, files: files))
    }
    groups[index].files += files
  }

  /// Adds the lines of a session, unless there are too many already.
  mutating func add(trace: [UInt8]) {
    guard traces.count + trace.count <= Self.maxTraceBytes else { return }
    traces += trace
  }

  /// The page of a run.
  ///
  /// - Parameter events: the lines of the run, as `--events` writes them.
  func bytes(events: [UInt8]) -> [UInt8] {
    var lines = events
    for group in groups { Self.append(group, to: &lines) }
    if let coverage {
      lines += Array("{\"kind\":\"coverage\",".utf8)
      lines += coverage.json.dropFirst().filter { $0 != 0x0a } + [0x0a]
    }
    return Page.bytes(.tests, title: "Test report", lines: lines + traces)
  }

  private static func append(_ group: Group, to lines: inout [UInt8]) {
    lines += Array("{\"kind\":\"group\"".utf8)
    let files = group.files.sorted {
      ($0["path"]?.stringValue ?? "") < ($1["path"]?.stringValue ?? "")
    }
    for (name, value) in [
      ("key", JSONValue.string(group.first.key)), ("summary", .string(group.first.summary)),
      ("line", .number(JSONNumber(group.first.line))), ("lines", .array(group.first.lines)),
      ("files", .array(files)),
    ] {
      lines += Array(",\"\(name)\":".utf8)
      value.append(to: &lines)
    }
    lines += Array("}\n".utf8)
  }
}

// Pages that are merged.
extension TestPage {
  /// The lines of a page up to the first session, and the rest.
  static func parts(of data: ArraySlice<UInt8>) -> (events: [UInt8], traces: [UInt8]) {
    let head = Array("{\"kind\":\"trace\"".utf8)
    var start = data.startIndex
    while start < data.endIndex, !data[start...].starts(with: head) {
      start = data[start...].firstIndex(of: 0x0a).map { $0 + 1 } ?? data.endIndex
    }
    return (Array(data[..<start]), Array(data[start...]))
  }

  mutating func add(group: LocatedObject) throws(ScriptError) {
    guard let key = try group.string("key"), let summary = try group.string("summary"),
      let line = try group.count("line"),
      let lines = try group.member("lines")?.value.arrayValue,
      let files = try group.member("files")?.value.arrayValue
    else {
      throw ScriptError(
        "a line of kind \"group\" needs \"key\", \"summary\", \"line\", \"lines\" and"
          + " \"files\".", at: 0)
    }
    let difference = Difference(key: key, line: line, summary: summary, lines: lines)
    add(difference, in: files)
  }

  mutating func add(coverage report: LocatedObject) throws(ScriptError) {
    var ports = coverage ?? PortCoverage()
    try ports.add(report)
    coverage = ports
  }

  /// Adds what a shard's page has besides the results. If there was no page, failures with the
  /// same words are one group.
  mutating func merge(of shard: RecordedRun) {
    let other = shard.page
    if other == TestPage() {
      for result in shard.results where result.verdict.outcome != .success {
        let lines = result.details.split(separator: "\n", omittingEmptySubsequences: false)
        let difference = Difference(
          key: result.kindOfFailure, line: result.line, summary: result.summary,
          lines: lines.map { DiffLine(side: nil, text: String($0)).json })
        add([difference], of: result.path)
      }
    }
    for group in other.groups { add(group.first, in: group.files) }
    add(trace: other.traces)
    guard let ports = other.coverage else { return }
    coverage = coverage ?? PortCoverage()
    coverage?.merge(ports)
  }
}

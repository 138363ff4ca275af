import CanonicalJSON
import HostCore

/// The content of a file of test events.
struct RecordedRun: Sendable, Equatable {
  /// The path of the file.
  let source: String
  let run: TestEvents.Run
  /// The results, in the order of the file.
  let results: [TestResult]
  /// The end; nil if the run was killed before it.
  let end: TestEvents.End?
  /// What else a page has of the run.
  var page = TestPage()
}

/// Reads a file of test events, or a page of a run, which has them, too. It ignores kinds and
/// members that it doesn't know, and is strict about the others.
struct TestEventsReader {
  private let source: String
  private var run: TestEvents.Run?
  private var results: [TestResult] = []
  private var paths: Set<PathKey> = []
  private var end: TestEvents.End?
  private var page = TestPage()

  static func read(_ path: String, isPartial: Bool = false) throws(Failure) -> RecordedRun {
    let bytes = try ReportFile.read(path)
    guard Page.isPage(bytes) else { return try parse(bytes, source: path, isPartial: isPartial) }
    guard let data = Page.data(of: bytes, .tests) else {
      throw Failure(.usage, "\"\(path)\" is a page, but not one of a run of tests.")
    }
    let (events, traces) = TestPage.parts(of: data)
    var run = try parse(events, source: path, isPartial: isPartial)
    run.page.add(trace: traces)
    return run
  }

  /// - Parameter isPartial: whether the file may be incomplete, even within a line.
  static func parse(
    _ bytes: [UInt8], source: String, isPartial: Bool = false
  ) throws(Failure) -> RecordedRun {
    var reader = TestEventsReader(source: source)
    var start = 0
    var number = 0
    while start < bytes.count {
      number += 1
      let end = bytes.span.firstIndex(of: 0x0a, from: start) ?? bytes.count
      let line = bytes.span.extracting(start..<end)
      do throws(ScriptError) {
        guard end < bytes.count else {
          if isPartial { break }
          throw ScriptError(
            "this line is incomplete: the run stopped early. \(partialAdvice)", at: 0)
        }
        try reader.take(line)
      } catch {
        throw Failure(.usage, error.report(source: source, number: number, line: line))
      }
      start = end + 1
    }
    return try reader.finish(lines: number, isPartial: isPartial)
  }

  private static let partialAdvice = """
    Run that shard again, or take what there is (--partial).
    """

  private init(source: String) { self.source = source }

  private func finish(lines: Int, isPartial: Bool) throws(Failure) -> RecordedRun {
    guard let run else {
      throw Failure(
        .usage,
        """
        "\(source)" has no line of kind "run"; is it a file that "vmhost test --events" wrote?
        """)
    }
    guard end != nil || isPartial else {
      throw Failure(
        .usage,
        """
        \(source):\(lines): the file ends without a line of kind "end": the run stopped early. \
        \(Self.partialAdvice)
        """)
    }
    return RecordedRun(source: source, run: run, results: results, end: end, page: page)
  }

  private mutating func take(_ line: Span<UInt8>) throws(ScriptError) {
    let object = try LocatedObject(parsing: line, what: "this line")
    let kind = try object.needed("kind", try object.string("kind"))
    guard run != nil || kind == "run" else {
      throw ScriptError("the first line must be of kind \"run\".", at: 0)
    }
    switch kind {
    case "run":
      guard run == nil else {
        throw ScriptError("there is a second line of kind \"run\": are these two runs?", at: 0)
      }
      run = try TestEvents.Run(object)
    case "result":
      try checkNotEnded(kind)
      let result = try TestResult(object)
      guard paths.insert(PathKey(result.path)).inserted else {
        throw ScriptError("there is a second result of \"\(result.path)\".", at: 0)
      }
      guard results.count < run?.count ?? 0 else {
        throw ScriptError("there are more results than the first line's \"count\" says.", at: 0)
      }
      results.append(result)
    case "end":
      try checkNotEnded(kind)
      try checkCounts(object)
      end = try TestEvents.End(object)
    case "group": try page.add(group: object)
    case "coverage": try page.add(coverage: object)
    default: break
    }
  }

  private func checkNotEnded(_ kind: String) throws(ScriptError) {
    guard end == nil else {
      throw ScriptError("a line of kind \"\(kind)\" comes after that of kind \"end\".", at: 0)
    }
  }

  private func checkCounts(_ object: LocatedObject) throws(ScriptError) {
    guard let member = try object.member("counts") else {
      throw ScriptError("a line of kind \"end\" needs \"counts\".", at: 0)
    }
    for verdict in Verdict.allCases {
      let count = results.count(verdict)
      guard member.value[verdict.rawValue]?.intValue == count else {
        throw ScriptError(
          "\"counts\" must say \(count) for \"\(verdict.rawValue)\", as the lines above do.",
          at: member.offset)
      }
    }
  }
}

extension LocatedObject {
  fileprivate func needed<Value>(_ name: String, _ value: Value?) throws(ScriptError) -> Value {
    guard let value else { throw ScriptError("this line needs \"\(name)\".", at: 0) }
    return value
  }
}

extension TestEvents.Run {
  fileprivate init(_ object: LocatedObject) throws(ScriptError) {
    let schema = try object.needed("schema", try object.count("schema"))
    guard schema == TestEvents.schemaVersion else {
      throw ScriptError(
        """
        the file is of schema \(schema), this vmhost reads \(TestEvents.schemaVersion). Use the \
        vmhost that wrote it.
        """, at: try object.member("schema")?.offset ?? 0)
    }
    let shard = try object.read("shard", as: Shard.form) { member in
      member.value.stringValue.flatMap(Shard.parse)
    }
    self.init(
      vmhost: try object.needed("vmhost", try object.string("vmhost")),
      shard: shard ?? .whole,
      total: try object.needed("total", try object.count("total")),
      count: try object.needed("count", try object.count("count")),
      selection: try object.needed("selection", try object.string("selection")))
    guard count <= total else {
      throw ScriptError(
        "\"count\" can't be more than \"total\".", at: try object.member("count")?.offset ?? 0)
    }
  }
}

extension TestEvents.End {
  fileprivate init(_ object: LocatedObject) throws(ScriptError) {
    let status = try object.read("status", as: "an exit status from 0 to 255") { member in
      member.value.intValue.flatMap { UInt8(exactly: $0) }
    }
    let missing = try object.read("missing", as: "an array of strings") { member in
      let names = member.value.arrayValue?.map(\.stringValue) ?? [nil]
      return names.contains(nil) ? nil : names.compactMap { $0 }
    }
    self.init(
      duration: try object.needed("duration", try object.seconds("duration")),
      status: Int32(try object.needed("status", status)), missing: missing ?? [])
  }
}

extension TestResult {
  fileprivate init(_ object: LocatedObject) throws(ScriptError) {
    let names = Verdict.allCases.map(\.rawValue).joined(separator: ", ")
    let verdict = try object.read("verdict", as: "one of \(names)") { member in
      member.value.stringValue.flatMap(Verdict.init(rawValue:))
    }
    let path = try object.read("path", as: "a string that isn't empty") { member in
      member.value.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
    self.init(
      path: try object.needed("path", path),
      verdict: try object.needed("verdict", verdict),
      duration: try object.needed("duration", try object.seconds("duration")),
      steps: try object.needed("steps", try object.count("steps")),
      skippedSteps: try object.count("skippedSteps") ?? 0,
      line: try object.count("line") ?? 0,
      summary: try object.string("summary") ?? "",
      details: try object.string("details") ?? "")
  }
}

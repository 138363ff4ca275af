import HostCore

/// What a script says about itself, found by reading it once without running it.
struct ScriptSummary {
  private(set) var hasOpen = false
  /// The directives that say how the session is.
  private(set) var configuration: [ScriptCommand] = []
  /// The flow file that it names.
  private(set) var flow: String?
  /// Whether a line makes something happen.
  private(set) var hasStep = false
  /// Whether a line says what a step emits.
  var hasExpectations = false
  /// Whether a recorder wrote it, and whether it came to its end.
  private(set) var isRecorded = false
  private(set) var isEnded = false
  /// The names of the secrets in its configs.
  private(set) var secrets: Set<String> = []

  init() {}

  /// - Throws: `Failure` for the first line that can't be understood.
  init(_ script: [UInt8], source: String) throws(Failure) {
    var feed = LineReader()
    feed.fill { $0 = script }
    do throws(ScriptError) {
      while let line = try feed.next(atEnd: true) { try take(line) }
    } catch {
      let line = feed.storage.span.extracting(feed.line)
      throw Failure(.usage, error.report(source: source, number: feed.number, line: line))
    }
  }

  /// Takes the next line.
  mutating func take(_ line: ScriptLine) throws(ScriptError) {
    if isEnded, line != .nothing {
      throw ScriptError("nothing but comments may follow @end.", at: 0)
    }
    switch line {
    case .rewritten(let bytes): try take(try ScriptLine.parse(bytes.span))
    case .command(let command):
      switch command {
      case .open(_, _, let config):
        hasOpen = true
        hasStep = true
        if let config { secrets.formUnion(Secrets.names(in: config)) }
      case .flow(let path):
        guard !hasOpen else {
          throw ScriptError("this must come before the first @open.", at: 0)
        }
        flow = flow ?? path
      case .close, .reply, .failure, .advance, .advanceUntilIdle: hasStep = true
      case .recorded: isRecorded = true
      case .end: isEnded = true
      case .seed, .time, .locale, .timeZone, .record, .simulate:
        guard !hasOpen else {
          throw ScriptError("this must come before the first @open.", at: 0)
        }
        configuration.append(command)
      default: break
      }
    case .expectation: hasExpectations = true
    case .input: hasStep = true
    case .nothing: break
    }
  }
}

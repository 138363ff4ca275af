import HostCore

/// A transcript that was read once to its end, so that a mistake anywhere in it shows before
/// anything happens.
struct TranscriptFile {
  let source: TranscriptSource
  let survey: ScriptSummary
  /// Whether its last line lacks its end.
  let isCut: Bool
  /// Whether nothing is in it.
  let isEmpty: Bool

  var path: String { source.path }

  /// - Throws: `TranscriptFailure` for a file that is no transcript.
  init(_ path: String) throws(TranscriptFailure) {
    let source: TranscriptSource
    do throws(Failure) {
      source = try TranscriptSource(path)
    } catch {
      throw TranscriptFailure(
        verdict: .invalid, outcome: .usage, message: error.message, line: 0)
    }
    try self.init(source)
  }

  init(_ source: TranscriptSource) throws(TranscriptFailure) {
    self.source = source
    (survey, isCut, isEmpty) = try Self.read(source)
  }

  init(_ source: TranscriptSource, survey: ScriptSummary, isCut: Bool) {
    self.source = source
    self.survey = survey
    self.isCut = isCut
    isEmpty = false
  }

  private static func read(
    _ source: TranscriptSource
  ) throws(TranscriptFailure) -> (ScriptSummary, isCut: Bool, isEmpty: Bool) {
    var survey = ScriptSummary()
    var isEmpty = true
    do {
      let reader = try TranscriptReader(source)
      do {
        while let line = try reader.next() {
          isEmpty = false
          if case .expectation = line, !survey.hasStep { throw Self.noStep }
          try survey.take(line)
        }
      } catch let error as ScriptError {
        throw TranscriptFailure(
          verdict: .invalid, outcome: .usage, message: reader.report(error), line: reader.number)
      }
      return (survey, reader.isCut, isEmpty && !reader.isCut)
    } catch let error as TranscriptFailure {
      throw error
    } catch {
      throw TranscriptFailure(
        verdict: .invalid, outcome: .usage, message: Failure(error).message, line: 0)
    }
  }

  /// What is wrong with a line that says what is emitted, but not by what.
  static let noStep = ScriptError(
    "this is what a step emits, but no step comes before it: an input, time that passes, or @open.",
    at: 0)

  /// Whether it is a recording that did not come to its end.
  var breaksOff: Bool { survey.isRecorded && !survey.isEnded }

  /// What is wrong with its end, if anything is.
  var flaw: String? {
    if isEmpty {
      "it is empty: a recording that was ended before its first step, perhaps."
    } else if isCut {
      "the last line is cut off: a line feed must end it."
    } else if breaksOff {
      "the recording breaks off: it has @recorded, but no @end."
    } else {
      nil
    }
  }

  /// The folder that it lies in.
  var folder: String? { source.folder }

  /// The names of the secrets in its configs, and in those of its flow.
  var secrets: Set<String> {
    guard let flow = survey.flow else { return survey.secrets }
    return survey.secrets.union(
      FlowRules.secrets(inFile: ReplayResources.path(flow, from: folder)))
  }
}

/// The parts of a session in which nothing is real.
struct ReplaySession {
  let session: SessionEngine
  let runner: ScriptInterpreter
  let found: TranscriptPlayer.EventSink

  /// - Parameters:
  ///   - locate: the absolute path of the library that a name is for.
  ///   - load: loads the library at a path, by the name that the user knows it by.
  init(
    _ file: TranscriptFile, _ secrets: Secrets, locate: @escaping (_ name: String) throws -> String,
    load: @escaping (_ path: String, _ name: String) throws -> any PluginConnection
  ) throws {
    let storage = MemoryStorage()
    session = SessionEngine(options: .init(), storage: storage, secrets: secrets)
    let found = TranscriptPlayer.EventSink()
    self.found = found
    let driver = SessionDriver(
      session: session, clock: .virtual, providers: [], report: found.take,
      complain: { _ in preconditionFailure("there is no provider to complain of") })
    runner = ScriptInterpreter(
      session: session, driver: driver, storage: storage, locate: locate, load: load)
    runner.folder = file.folder
    for command in file.survey.configuration { try runner.configure(command) }
    runner.isConfigured = true
  }

  /// - Parameter load: loads the library at a path, by the name that the user knows it by.
  init(
    _ file: TranscriptFile, _ resources: ReplayResources,
    load: @escaping (_ path: String, _ name: String) throws -> any PluginConnection
  ) throws {
    try self.init(
      file, resources.secrets(file.secrets),
      locate: { try resources.path(of: $0, in: file.folder) }, load: load)
  }
}

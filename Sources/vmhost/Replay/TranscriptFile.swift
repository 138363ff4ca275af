import HostCore

/// A transcript that was read once to its end, so that a mistake anywhere in it shows before
/// anything happens.
struct TranscriptFile {
  let path: String
  let survey: ScriptSurvey
  /// Whether its last line lacks its end.
  let isCut: Bool

  /// - Throws: `TranscriptFailure` for a file that is no transcript.
  init(_ path: String) throws(TranscriptFailure) {
    self.path = path
    var survey = ScriptSurvey()
    do {
      let reader = try TranscriptReader(path)
      do {
        var isFirst = true
        while let line = try reader.next() {
          if case .command(.version) = line {
            guard isFirst else {
              throw ScriptError(
                "\"vmt 1\" is the first line of a transcript, and of no other.", at: 0)
            }
          } else if isFirst {
            throw ScriptError(
              "a transcript begins with the line \"vmt 1\", its format and version.", at: 0)
          }
          isFirst = false
          try survey.take(line)
        }
      } catch let error as ScriptError {
        throw TranscriptFailure(
          verdict: .invalid, outcome: .usage, message: reader.report(error), line: reader.number)
      }
      isCut = reader.isCut
    } catch let error as TranscriptFailure {
      throw error
    } catch {
      throw TranscriptFailure(
        verdict: .invalid, outcome: .usage, message: Failure(error).message, line: 0)
    }
    self.survey = survey
  }

  /// Whether it is a recording that did not come to its end.
  var breaksOff: Bool { survey.isRecorded && !survey.isEnded }

  /// The secrets that its configs name: none is known here, so each is its own name.
  var secrets: Secrets {
    var secrets = Secrets()
    for name in survey.secrets.sorted() { secrets.add(name, value: "SECRET_\(name)") }
    return secrets
  }

  /// The folder that it lies in.
  var folder: String? { path.lastIndex(of: "/").map { String(path[..<$0]) } }
}

/// The parts of a session in which nothing is real.
struct ReplaySession {
  let session: SessionEngine
  let runner: SessionRunner
  let found: TranscriptPlayer.EventSink

  /// - Parameter load: loads the library at a path, by the name that the user knows it by.
  init(
    _ file: TranscriptFile, pluginPath: [String],
    load: @escaping (_ path: String, _ name: String) throws -> any PluginConnection
  ) throws {
    let storage = MemoryStorage()
    session = SessionEngine(options: .init(), storage: storage, secrets: file.secrets)
    let found = TranscriptPlayer.EventSink()
    self.found = found
    let driver = LiveDriver(
      session: session, clock: .virtual, providers: [], report: found.take,
      complain: { _ in preconditionFailure("there is no provider to complain of") })
    let locator = PluginLocator(
      script: file.folder, given: pluginPath, variable: Environment.value("VMHOST_PLUGIN_PATH"),
      executable: try Files.executableFolder())
    runner = SessionRunner(
      session: session, driver: driver, locator: locator, storage: storage, load: load)
    for command in file.survey.configuration { try runner.configure(command) }
    runner.isConfigured = true
  }
}

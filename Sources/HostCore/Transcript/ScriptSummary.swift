import CanonicalJSON

/// The facts about a script that its lines show without running it.
package struct ScriptSummary: Sendable {
  private var hasOpen = false
  /// The directives that configure the session.
  package private(set) var settings: [ScriptCommand] = []
  /// The flow file that it names.
  package private(set) var flow: String?
  /// The plugins that it names, each once.
  package private(set) var plugins: [String] = []
  /// Whether the script has a step.
  package private(set) var hasStep = false
  /// Whether the script has an expectation.
  package private(set) var hasExpectations = false
  /// Whether a recorder wrote it.
  package private(set) var isRecorded = false
  /// The SHA-256 of the plugins that it was recorded with, by their ids, where it has them.
  package private(set) var recordedDigests: [String: String] = [:]
  /// Whether the script has `@end`: a recorder completed it.
  package private(set) var isEnded = false
  /// Why a test doesn't play the script; nil if it does.
  package private(set) var skip: String?
  /// The names by which a test chooses the script, each once.
  package private(set) var tags: [String] = []
  /// The names of the secrets in its configs.
  package private(set) var secrets: Set<String> = []

  package init() {}

  /// Adds the next line.
  ///
  /// - Throws: if the line may not come here: a setting or flow after the first `@open`,
  ///   `@skip` or `@tags` after the first step, a second `@skip`, or anything but comments after
  ///   `@end`.
  package mutating func take(_ line: ScriptLine) throws(ScriptError) {
    if isEnded, line != .nothing {
      throw ScriptError("nothing but comments may follow @end.", at: 0)
    }
    switch line {
    case .rewritten(let bytes): try take(try ScriptLine.parse(bytes.span))
    case .command(let command): try take(command)
    case .expectation: hasExpectations = true
    case .input: hasStep = true
    case .nothing: break
    }
  }

  private mutating func take(_ command: ScriptCommand) throws(ScriptError) {
    switch command.role {
    case .setting, .betweenSteps:
      guard !hasOpen else { throw ScriptError("this must come before the first @open.", at: 0) }
    case .step: hasStep = true
    case .beforeStep, .remark, .control: break
    }
    if command.role == .setting { settings.append(command) }
    if case .plugin(let name) = command, !plugins.contains(name) { plugins.append(name) }
    if case .flow(let path) = command { flow = flow ?? path }
    if case .recorded(let details) = command { takeRecording(details) }
    if case .end = command { isEnded = true }
    try takeChoice(command)
    guard case .open(_, _, let config) = command else { return }
    hasOpen = true
    if let config { secrets.formUnion(Secrets.names(in: config)) }
  }

  private mutating func takeRecording(_ details: JSONValue) {
    isRecorded = true
    for (id, plugin) in details["plugins"]?.objectValue ?? [:] {
      if let digest = plugin["sha256"]?.stringValue { recordedDigests[id] = digest }
    }
  }

  /// Adds a line by which a test chooses the script.
  private mutating func takeChoice(_ command: ScriptCommand) throws(ScriptError) {
    if case .skip(let reason) = command {
      try checkBeforeSteps()
      guard skip == nil else { throw ScriptError("a transcript can have only one @skip.", at: 0) }
      skip = reason
    }
    if case .tags(let names) = command {
      try checkBeforeSteps()
      for name in names where !tags.contains(name) { tags.append(name) }
    }
  }

  private func checkBeforeSteps() throws(ScriptError) {
    guard !hasStep else { throw ScriptError("this must come before the first step.", at: 0) }
  }
}

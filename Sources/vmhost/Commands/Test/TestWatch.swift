import HostCore

/// `vmhost test --watch`: plays transcripts, and again those that a change touches.
final class TestWatch {
  private enum Request {
    case failed
    case changed
    case end(Outcome)
  }

  private let options: TestOptions
  private let signals: SignalWatch
  private let watcher: FileWatcher
  private let build: BuildRunner?
  private let isAtTerminal: Bool
  private let output = Output()
  private let style: Style
  private var keys = TestKeys()
  private var uses: TranscriptUses
  /// The transcripts that the command line asks for now; nil while it asks for none.
  private var selection: TestSelection?
  /// The last result of each transcript.
  private var results: [PathKey: TestResult] = [:]
  /// The changes since the last run.
  private var changed: Set<PathKey> = []
  private var removed: Set<PathKey> = []
  /// Whether all transcripts are to be played, at first or since the user wants it.
  private var wantsAll = true
  private var hasPlayed = false
  private var buildHasFailed = false
  /// Whether the user was told what is waited for, and nothing has happened since.
  private var isPrompted = false
  /// How many builds were announced.
  private var builds = 0

  init(_ options: TestOptions, _ signals: SignalWatch) throws {
    self.options = options
    self.signals = signals
    watcher = try FileWatcher(isWhole: LibraryFile.isWhole)
    build = try options.build.map { command throws(SystemError) in try BuildRunner(command) }
    let standards = [Descriptor.standardInput, Descriptor.standardOutput]
    isAtTerminal = standards.allSatisfy(Descriptor.isTerminal)
    style = Style(
      isTerminal: Descriptor.isTerminal(Descriptor.standardOutput), variable: Environment.value)
    uses = TranscriptUses(pluginPath: options.pluginPath)
  }

  func run() throws -> Outcome {
    defer { build?.stop() }
    try look()
    var request: Request = build == nil ? .changed : try wait()
    while true {
      switch request {
      case .end(let outcome): return outcome
      case .failed:
        try look(changed)
        try play("those that failed") { self.results[PathKey($0)]?.isBad ?? true }
      case .changed: try playChanged()
      }
      if let number = signals.number { return .signal(number) }
      request = try wait()
    }
  }

  // MARK: Playing

  private func playChanged() throws {
    let (fresh, gone, isAll) = (changed, removed, wantsAll)
    (changed, removed, wantsAll) = ([], [], false)
    try look(fresh)
    for key in gone.sorted() where results.removeValue(forKey: key) != nil {
      try show("\(key.path.terminalSafeLine) was removed.\n")
    }
    // A folder that is back is one change, and its transcripts are new.
    let new = (selection?.paths ?? []).filter(isNew)
    let names = fresh.isEmpty ? new : fresh.sorted().map(\.path)
    try play(isAll ? "all" : "\(Self.listed(names)) changed") {
      isAll || isNew($0) || uses.touches($0, fresh)
    }
  }

  /// Plays the chosen transcripts, those first that failed when they were last played.
  private func play(_ reason: String, where isChosen: (String) -> Bool) throws {
    guard let selection else { return }
    let chosen = selection.paths.filter(isChosen)
    guard !chosen.isEmpty else { return }
    if hasPlayed || build != nil {
      let count = "\(chosen.count) of \(Count.of(selection.paths.count, "transcript"))"
      try show("\n" + style.port("---- \(reason): \(count) ----".terminalSafeLine) + "\n")
    }
    hasPlayed = true
    var played = selection
    played.paths = chosen.filter(isBad) + chosen.filter { !isBad($0) }
    let command = try TestCommand(options, signals)
    _ = try command.run(played)
    for result in command.results { results[PathKey(result.path)] = result }
    let keys = Set(chosen.map(PathKey.init))
    let bad = selection.paths.filter { isBad($0) && !keys.contains(PathKey($0)) }
    if !bad.isEmpty { try show("not passed before: \(Self.listed(bad))\n") }
  }

  /// Whether a transcript didn't pass when it was last played.
  private func isBad(_ path: String) -> Bool { results[PathKey(path)]?.isBad ?? false }

  private func isNew(_ path: String) -> Bool { results[PathKey(path)] == nil }

  private static func listed(_ paths: [String]) -> String {
    let names = paths.prefix(3).map(\.terminalSafeLine).joined(separator: ", ")
    return paths.count > 3 ? "\(names) and \(paths.count - 3) more" : names
  }

  /// The outcome of the last results of all transcripts.
  private var outcome: Outcome {
    if buildHasFailed { return .failed }
    guard hasPlayed else { return .nothingToTest }
    // While a folder is missing, those of other folders count.
    let paths = selection?.paths ?? results.keys.map(\.path)
    let last = paths.compactMap { results[PathKey($0)] }
    return last.isEmpty ? .nothingToTest : last.outcome
  }

  // MARK: Files

  /// Finds the transcripts and what they use now, and watches all of it.
  private func look(_ changed: Set<PathKey> = []) throws {
    do throws(Failure) {
      selection = try TestSelection(options, timings: nil)
    } catch {
      // Before anything has been there, it is a mistake.
      guard hasPlayed || build != nil && error.outcome == .nothingToTest else { throw error }
      selection = nil
      Console.complain(error)
    }
    uses.update(selection?.paths ?? [], changed: changed)
    let folders = options.paths.filter { (try? Files.kind(of: $0)) == .directory }
    let files = options.paths.filter { !folders.contains($0) }
    watcher.watch(
      libraries: uses.libraries.sorted().map(\.path),
      files: files + uses.flows.sorted().map(\.path),
      trees: folders.map { FileWatcher.Tree($0, takes: Self.isTranscript) })
  }

  private static func isTranscript(_ name: String, isFolder: Bool) -> Bool {
    !name.hasPrefix(".") && (isFolder || name.hasSuffix(TranscriptFinder.ending))
  }

  // MARK: Waiting

  private func wait() throws -> Request {
    let terminal = isAtTerminal ? try RawTerminal(Descriptor.standardInput) : nil
    let outcome = Result { try next() }
    let restoration = Result { try terminal?.restore() }
    let request = try outcome.get()
    try restoration.get()
    return request
  }

  private func next() throws -> Request {
    isPrompted = false
    while true {
      if let request = try request() { return request }
      if !isPrompted && build?.isRunning != true {
        isPrompted = true
        try prompt()
      }
      var interests = [signals.interest] + watcher.interests + (build?.interests ?? [])
      if isAtTerminal { interests.append(keys.interest) }
      let limits = [watcher.timeout, build?.timeout].compactMap { $0 }
      try Descriptor.wait(for: &interests, timeout: limits.min())
      if isAtTerminal && interests[interests.count - 1].isReady { keys.read() }
    }
  }

  private func prompt() throws {
    let keys = isAtTerminal ? " (space: all, f: those that failed, q: quit)" : ""
    try show("\nWaiting for changes\(keys)\n")
  }

  private func show(_ text: String) throws {
    output.write { $0 += Array(text.utf8) }
    try output.flush()
  }

  /// What is to be done now; nil for nothing.
  private func request() throws -> Request? {
    if signals.hasCome, let number = signals.number {
      return .end(number == Exit.interrupt ? outcome : .signal(number))
    }
    while let key = keys.take() {
      switch key {
      case " ", "\n":
        wantsAll = true
        build?.request()
      case "f": return .failed
      case "q": return .end(outcome)
      default: break
      }
    }
    if keys.hasEnded { return .end(outcome) }
    try takeBuild()
    takeChanges()
    guard build?.isRunning != true, !watcher.isUnsettled, watcher.timeout != 0 else { return nil }
    let isWanted = !changed.isEmpty || !removed.isEmpty || wantsAll
    return isWanted && !buildHasFailed ? .changed : nil
  }

  private func takeBuild() throws {
    guard let build else { return }
    let result = try build.take()
    if let result {
      buildHasFailed = !result.isSuccess
      isPrompted = false
      // Compilers quote sources, which may be anybody's, so hidden characters aren't shown.
      Console.complain("\(result.output)vmhost: \(result.message)\n")
    }
    if build.count > builds {
      builds = build.count
      Console.complain("vmhost: building: \(options.build ?? "")\n")
    }
    // What the build has written is there, so it is told before transcripts are played.
    if result != nil { watcher.lookAgain() }
  }

  private func takeChanges() {
    if let notice = watcher.takeNotice() { Console.complain("vmhost: --watch: \(notice)\n") }
    for change in watcher.take() {
      let key = PathKey(change.path)
      switch change.kind {
      case .written, .unfinished:
        changed.insert(key)
        removed.remove(key)
      case .removed:
        // A library that was removed comes back. A transcript may not.
        if results[key] != nil { removed.insert(key) }
        changed.remove(key)
      }
    }
  }
}

extension TestResult {
  fileprivate var isBad: Bool { verdict.outcome != .success }
}

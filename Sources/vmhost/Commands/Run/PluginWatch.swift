import HostCore

/// `--watch`: loads the plugins of a session anew when their libraries change.
final class PluginWatch {
  private let interpreter: ScriptInterpreter
  private let locator: PluginLocator
  private let watcher: FileWatcher
  private let builds: BuildRunner?
  private let command: String
  /// How many builds the user was told of.
  private var announced = 0
  /// The names of the plugins, by the paths of their libraries.
  private var names: [String: String] = [:]
  /// The SHA-256 of the library that was loaded last, or couldn't be, by the plugin's name.
  private var tried: [String: String] = [:]
  /// The names of the plugins that need a library, by its path.
  private var users: [String: Set<String>] = [:]
  /// How many plugins the session had when they were last looked for.
  private var count = 0
  /// Whether libraries may have changed since they were loaded and before they were watched.
  private var isUnchecked = false
  /// Tells the user something that isn't an event of the session.
  var say: (String) -> Void = { Console.complain("vmhost: \($0)\n") }

  /// - Parameter build: the command that builds the plugins, if there is one.
  init(_ interpreter: ScriptInterpreter, _ locator: PluginLocator, build: String?) throws {
    self.interpreter = interpreter
    self.locator = locator
    command = build ?? ""
    watcher = try FileWatcher(isWhole: LibraryFile.isWhole)
    builds = try build.map { command throws(SystemError) in try BuildRunner(command) }
  }

  // MARK: Before the session

  /// Builds until that succeeds, or until there is something that an earlier build has left.
  ///
  /// - Parameter plugins: the plugins as the user named them.
  func build(_ plugins: [String], _ signals: SignalWatch) throws {
    guard let builds else { return }
    while !signals.hasCome {
      if let result = try takeBuild() {
        tell(result)
        if result.isSuccess || plugins.allSatisfy({ (try? locator.path(of: $0)) != nil }) { return }
        say("waiting for a change")
      }
      var interests = builds.interests + [signals.interest]
      try Descriptor.wait(for: &interests, timeout: builds.timeout)
    }
  }

  /// Starts a build if one is needed, and says so.
  ///
  /// - Returns: the result of a build that has ended.
  private func takeBuild() throws -> BuildRunner.Result? {
    let result = try builds?.take()
    if let count = builds?.count, count > announced {
      announced = count
      say("building: \(command)")
    }
    return result
  }

  private func tell(_ result: BuildRunner.Result) {
    if result.isSuccess { return say(result.message) }
    // The output of the user's own compiler is shown as it is.
    say(result.message + (result.output.isEmpty ? "" : ":\n" + result.output.droppingLastLineFeed))
  }

  /// Ends a build that runs.
  func stop() { builds?.stop() }

  // MARK: In the session

  /// What to wait for before the next `take`.
  var interests: [Descriptor.Interest] {
    look()
    return watcher.interests + (builds?.interests ?? [])
  }

  /// How long to wait at most; nil for as long as nothing is ready.
  var timeout: Nanoseconds? {
    look()
    return isUnchecked ? 0 : [watcher.timeout, builds?.timeout].compactMap { $0 }.min()
  }

  /// Watches the libraries of all plugins that the session has by now.
  private func look() {
    let plugins = interpreter.libraries
    guard plugins.count != count else { return }
    count = plugins.count
    (names, users) = ([:], [:])
    for (name, digest) in plugins {
      if tried[name] == nil { tried[name] = digest }
      for path in locator.places(of: name) { names[path] = name }
      for path in locator.neededLibraries(of: name) { users[path, default: []].insert(name) }
    }
    watcher.watch(libraries: Set(names.keys).union(users.keys).sorted())
    isUnchecked = true
  }

  /// Takes what has happened to files, without waiting, and loads plugins that have changed.
  func take(isInterrupted: () -> Bool) throws {
    if let result = try takeBuild() { tell(result) }
    if let notice = watcher.takeNotice() { say("--watch: \(notice)") }
    // What is removed, the next build writes again. What is never finished doesn't load.
    let paths = watcher.take().filter { $0.kind != .removed }.map(\.path)
    guard isUnchecked || !paths.isEmpty else { return }
    let isFirst = isUnchecked
    isUnchecked = false
    for (name, _) in interpreter.libraries {
      let isNeeded = paths.contains { users[$0]?.contains(name) == true }
      let isOwn = paths.contains { names[$0] == name }
      guard isFirst || isNeeded || isOwn else { continue }
      // A notice may come twice, and a build may leave what is there as it is.
      let path = try? locator.path(of: name)
      let digest = path.flatMap { try? SHA256.digest(ofFile: $0) }
      guard isNeeded || digest != tried[name] && (isOwn || digest != nil) else { continue }
      tried[name] = digest
      try interpreter.reload(name, isInterrupted: isInterrupted)
      // It may need other libraries now.
      count = 0
    }
  }
}

extension String {
  fileprivate var droppingLastLineFeed: Substring { hasSuffix("\n") ? dropLast() : self[...] }
}

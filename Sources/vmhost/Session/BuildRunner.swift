import HostCore

/// Runs a build at first, and again whenever a source in the current folder has changed.
final class BuildRunner {
  struct Result {
    let isSuccess: Bool
    /// What it has written if it failed: whole lines.
    let output: String
    /// How it went, for the user.
    let message: String
  }

  private let command: String
  private let sources: FileWatcher
  private var build: ShellCommand?
  /// How many builds were started.
  private(set) var count = 0
  private var isNeeded = true
  /// Whether the last notices of what the build itself has changed may still be on their way.
  private var isSettling = false
  /// What has changed since the build began.
  private var changed: Set<PathKey> = []
  /// What had changed during the build before, if only that has led to this one.
  private var causes: Set<PathKey> = []
  /// What each build changes.
  private var products: Set<PathKey> = []

  init(_ command: String) throws(SystemError) {
    self.command = command
    sources = try FileWatcher(isWhole: { _ in true })
    sources.watch(trees: [FileWatcher.Tree(".", takes: Self.isSource)])
  }

  /// Whether a build runs, or is about to.
  var isRunning: Bool { build != nil || isNeeded }

  /// What to wait for before the next `take`.
  var interests: [Descriptor.Interest] { sources.interests + (build?.interests ?? []) }

  /// How long to wait at most; nil for as long as nothing is ready.
  var timeout: Nanoseconds? { isNeeded && build == nil && !isSettling ? 0 : sources.timeout }

  /// Starts a build if one is needed, without waiting for its end.
  ///
  /// - Returns: the result of a build that has ended.
  func take() throws(SystemError) -> Result? {
    if let notice = sources.takeNotice() { Console.complain("vmhost: --build: \(notice)\n") }
    let changes = sources.take().map { PathKey($0.path) }
    if build != nil || isSettling {
      changed.formUnion(changes)
    } else if !changes.isEmpty {
      isNeeded = true
      causes = []
    }
    var result: Result?
    if let end = try build?.take() {
      build = nil
      isSettling = true
      sources.lookAgain()
      result = Self.result(end)
    }
    if isSettling && !sources.isUnsettled && sources.timeout != 0 { settle() }
    if isNeeded && build == nil && !isSettling {
      isNeeded = false
      count += 1
      build = try ShellCommand(command)
    }
    return result
  }

  /// Decides whether what has changed during a build needs another one.
  private func settle() {
    isSettling = false
    let fresh = changed.subtracting(products)
    changed = []
    if fresh.isEmpty {
      causes = []
    } else if !causes.isEmpty && fresh.isSubset(of: causes) {
      // It would go on for ever.
      products.formUnion(fresh)
      causes = []
      let names = fresh.sorted().map { "\"\($0.path)\"" }.joined(separator: ", ")
      Console.complain(
        "vmhost: --build: the build itself changes \(names); that starts no further build.\n")
    } else {
      causes = fresh
      isNeeded = true
    }
  }

  /// Runs the build again, even if no source has changed.
  func request() { isNeeded = true }

  /// Ends a build that runs, with all that it has started.
  func stop() {
    build?.stop()
    build = nil
  }

  private static func result(_ end: ShellCommand.End) -> Result {
    let time = end.duration.secondsText
    guard !end.isSuccess else {
      return Result(isSuccess: true, output: "", message: "built in \(time)")
    }
    let output = end.output.isEmpty || end.output.hasSuffix("\n") ? end.output : end.output + "\n"
    return Result(
      isSuccess: false, output: output, message: "the build failed (\(end.status)) after \(time)")
  }

  // MARK: Sources

  /// Folders in which tools keep what they make.
  private static let productFolders: Set<String> = ["build", "target", "node_modules"]
  /// The endings of files that compilers and editors make, and of transcripts.
  private static let productEndings = [
    ".so", ".o", ".a", ".d", ".obj", ".pyc", ".gch", ".tmp", ".swp", "~", TranscriptFinder.ending,
  ]

  private static func isSource(_ name: String, isFolder: Bool) -> Bool {
    if name.hasPrefix(".") { return false }
    if isFolder { return !productFolders.contains(name) }
    return !productEndings.contains(where: name.hasSuffix)
  }
}

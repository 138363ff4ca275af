import Basics
import HostCore

/// The checked options of `vmhost test`.
struct TestOptions: Sendable {
  /// What becomes of differences.
  enum Update: Sendable {
    case inPlace, patch
    /// A person decides on each of them.
    case review
    /// They are only listed.
    case listing
  }

  let paths: [String]
  let isolation: PluginIsolation
  let lock: PluginLock?
  /// Whether a transcript fails if a plugin isn't the library that it was recorded with.
  let isStrictAboutPlugins: Bool
  let choice: TranscriptChoice
  let includesSkipped: Bool
  /// What would be played is only listed, in this format.
  let list: TestListing.Format?
  let onlyLastFailed: Bool
  let failureLimit: FailureLimit?
  let repetitions: Int
  let update: Update?
  let renames: TranscriptRenames
  let isVerbose: Bool
  let jobs: Int
  let timeout: Nanoseconds
  let limits: StepLimits
  let pluginPath: [String]
  /// Where transcripts may name files; nil for anywhere.
  let fence: PathFence?
  let slowest: Int
  let coverage: PortCoverageOptions
  /// Whether what plugins log and print is shown for all transcripts.
  let showsLogs: Bool
  let shard: Shard?
  let junit: String?
  let events: String?
  /// The page to write.
  let page: String?
  let timings: String?
  /// Whether transcripts are played again when something that they use has changed.
  let watches: Bool
  /// The command that builds what they use.
  let build: String?
  /// Whether a worker plays transcripts first, and its verdict that one passes is accepted.
  let playsInWorker: Bool

  /// Whether the log is one of GitHub Actions, and failures are marked in their files.
  let annotates: Bool

  /// Whether results have the text of differences, for reports and for transcripts that fail only
  /// when they are played once more.
  var keepsDetails: Bool {
    comparesRuns || junit != nil || events != nil || page != nil || annotates
  }

  /// Whether a trace of each run is kept, to compare it with further runs. An update isn't accepted
  /// if it differs from run to run.
  var comparesRuns: Bool {
    !isInProcess && (repetitions > 1 || update != nil && update != .listing)
  }

  var isInProcess: Bool { isolation.isInProcess }

  static let countForm = "a whole number from 1 to 10000"

  static func count(_ text: String) -> Int? {
    Int(text).flatMap { 1...10_000 ~= $0 ? $0 : nil }
  }

  init(_ arguments: ParsedArguments) throws(Failure) {
    paths = arguments.positionals
    (watches, build) = try arguments.watching(except: Self.unwatchable)
    isolation = try PluginIsolation(arguments).sparing()
    lock = try arguments.lock()
    isStrictAboutPlugins = try arguments.isStrictAboutPlugins()
    choice = try TranscriptChoice(arguments)
    includesSkipped = arguments.flag("include-skipped")
    switch arguments.value(of: "list") {
    case nil: list = nil
    case "jsonl": list = .jsonl
    default: list = .text
    }
    onlyLastFailed = arguments.flag("last-failed")
    failureLimit = try FailureLimit.read(arguments)
    coverage = try PortCoverageOptions(arguments)
    showsLogs = arguments.flag("show-logs")
    pluginPath = arguments.values(of: "plugin-path")
    fence =
      arguments.flag("allow-outside")
      ? nil : PathFence(given: paths, searched: pluginPath + Self.searchedFolders)
    shard = try arguments.read("shard", as: Shard.form, Shard.parse)
    junit = arguments.value(of: "junit")
    events = arguments.value(of: "events")
    page = arguments.value(of: "html")
    timings = arguments.value(of: "timings")
    repetitions = try arguments.read("repeat", as: Self.countForm, Self.count) ?? 1
    slowest = try arguments.read("slowest", as: Self.countForm, Self.count) ?? 0
    let jobs = try arguments.read("jobs", as: Self.countForm, Self.count)
    timeout = try arguments.timeout("timeout") ?? 60_000_000_000
    var limits = try arguments.limits()
    limits.time = min(limits.time, timeout)
    self.limits = limits
    isVerbose = arguments.flag("verbose")
    update = try Self.update(arguments)
    renames = try Self.renames(arguments, update)
    annotates = update != .patch && Annotations.isWanted(variable: Environment.value)
    if case .inProcess = isolation {
      // In this process, a library can be in one session at a time.
      if let jobs, jobs > 1 {
        throw Failure(.usage, "--jobs: --in-process plays one transcript at a time.")
      }
      if repetitions > 1 {
        throw Failure(
          .usage, "--repeat compares separate processes, so it can't be combined with --in-process."
        )
      }
      self.jobs = 1
    } else {
      self.jobs = jobs ?? Processors.available
    }
    playsInWorker =
      renames.isEmpty && !coverage.isWanted && !showsLogs && repetitions == 1
      && isolation.trustsWorkers
  }

  // MARK: Watching

  /// What can't be combined with `--watch`, and why.
  private static let unwatchable: KeyValuePairs<String, String> = [
    "in-process": "a process can't reload a changed plugin",
    "list": "it plays transcripts", "last-failed": "it plays those that failed first anyway",
    "shard": aPart, "junit": aPart, "events": aPart, "html": aPart, "timings": aPart,
    "port-coverage": aPart, "port-coverage-file": aPart, "port-coverage-min": aPart,
    "update": accepts, "review": accepts, "list-changes": accepts, "rename": accepts,
  ]
  private static let aPart = "most of its runs play only some of the transcripts"
  private static let accepts = "changes are accepted in a run of their own"

  // MARK: What changes transcripts

  private static func update(_ arguments: ParsedArguments) throws(Failure) -> Update? {
    let given = ["update", "review", "list-changes"].filter { arguments.value(of: $0) != nil }
    guard let name = given.first else { return nil }
    if given.count > 1 { throw Failure(.usage, "--\(given[1]) can't be combined with --\(name).") }
    if name == "list-changes" { return .listing }
    try refuseInCI(name)
    if name == "update" { return arguments.value(of: name) == "patch" ? .patch : .inPlace }
    let standards = [Descriptor.standardInput, Descriptor.standardOutput]
    guard standards.allSatisfy(Descriptor.isTerminal) else {
      throw Failure(
        .usage,
        "--review needs a terminal for standard input and output. --list-changes"
          + " shows the same changes, and --update accepts all of them.")
    }
    return .review
  }

  private static func renames(
    _ arguments: ParsedArguments, _ update: Update?
  ) throws(Failure) -> TranscriptRenames {
    let values = arguments.values(of: "rename")
    guard !values.isEmpty else { return TranscriptRenames() }
    try refuseInCI("rename")
    if update == .patch || update == .listing {
      let option = update == .patch ? "--update=patch" : "--list-changes"
      throw Failure(.usage, "--rename writes files, so it can't be combined with \(option).")
    }
    do throws(TranscriptRenames.Mistake) { return try TranscriptRenames(values) } catch {
      throw Failure(.usage, "--rename: \(error.description)")
    }
  }

  private static func refuseInCI(_ option: String) throws(Failure) {
    guard let ci = Environment.value("CI"), !ci.isEmpty, ci != "false" else { return }
    throw Failure(
      .usage,
      "--\(option): the variable CI is set, and a person must read differences before they are"
        + " accepted. Leave out --\(option) in CI.")
  }

  // MARK: Files

  /// The folders in which plugins are searched for without an option.
  private static var searchedFolders: [String] {
    let listed = Files.folders(inList: Environment.path(PluginLocator.variable) ?? "")
    return listed.filter { !$0.isEmpty }
      + [try? Files.executableFolder(), Installation.own.plugins].compactMap(\.self)
  }

  /// Reads a transcript.
  ///
  /// - Throws: also if it was found in a folder, and is a link that leads out of all folders given.
  func source(_ path: String) throws(TranscriptError) -> TranscriptSource {
    if let fence, !paths.contains(where: { PathKey($0) == PathKey(path) }),
      let file = try? Files.absolute(path), !fence.permits(file)
    {
      throw TranscriptError(
        invalid: "\(path): this link leads outside the current folder and the given folders. If"
          + " that is intended, add --allow-outside.")
    }
    return try TranscriptSource(path)
  }
}

import CanonicalJSON
import HostCore

/// What is known of the plugins that stand on an unfinished command line.
///
/// They are loaded as by `vmhost describe`, but always confined, and for a short time at most. One
/// that can't be loaded is passed over: this is no time for errors.
struct LinePlugins {
  /// Of a plugin's own time. By the clock it may be four times as much, which must be less than
  /// the command may take.
  private static let maxTime: Nanoseconds = 2_000_000_000

  /// The most transcripts whose plugins are looked for.
  private static let maxTranscripts = 100

  private let manifests: [PluginManifest]

  /// The plugins that are arguments.
  init(_ line: CompletedLine) {
    manifests = line.positionals.compactMap { try? Self.load($0, line).manifest }
  }

  /// The plugins of the transcripts that are arguments, or are in folders that are.
  init(ofTranscriptsOn line: CompletedLine) {
    let files = (try? TranscriptFinder.find(line.positionals.map(Self.expanded))) ?? []
    var manifests: [String: PluginManifest?] = [:]
    for file in files.prefix(Self.maxTranscripts) {
      let folder = Files.folder(of: file) ?? "."
      for name in Self.plugins(of: file) where manifests["\(folder)/\(name)"] == nil {
        manifests["\(folder)/\(name)"] = .some(
          try? Self.load(name, line, beside: folder).manifest)
      }
    }
    self.manifests = manifests.sorted { $0.key < $1.key }.compactMap(\.value)
  }

  /// The plugins that the beginning of a transcript names.
  private static func plugins(of file: String) -> [String] {
    let start = (try? Files.beginning(of: file, count: 4096)) ?? []
    return PathText.text(start).split { $0.isNewline }.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 1)
      return words.count == 2 && words[0] == "@plugin" ? String(words[1]) : nil
    }
  }

  var ids: [String] { manifests.map(\.id) }

  var viewModels: [String] { manifests.flatMap(\.viewModels).map(\.id) }

  /// The inputs or outputs of a view model.
  func ports(_ kind: String, of id: String) -> [String] {
    let models = manifests.flatMap(\.viewModels).filter { $0.id == id }
    switch kind {
    case "input": return models.flatMap(\.inputs).map(\.name)
    case "output": return models.flatMap { Array($0.states) + Array($0.signals) }.map(\.name)
    default: return []
    }
  }

  /// The effects that they ask for, besides those that the engine simulates.
  var effects: [String] {
    let names = manifests.flatMap(\.viewModels).flatMap(\.requests)
    return Set(names).filter { SimulatedEffect(rawValue: $0) == nil }.sorted()
  }

  /// The secrets that their default configs name.
  var secrets: [String] {
    var names: Set<String> = []
    for config in manifests.flatMap(\.viewModels).compactMap(\.configDefault) {
      Self.addSecrets(of: config, to: &names)
    }
    return names.sorted()
  }

  private static func addSecrets(of value: JSONValue, to names: inout Set<String>) {
    if let text = value.stringValue, text.hasPrefix("$secret:") {
      names.insert(String(text.dropFirst("$secret:".count)))
    }
    for element in value.arrayValue ?? [] { addSecrets(of: element, to: &names) }
    for member in (value.objectValue ?? [:]).values { addSecrets(of: member, to: &names) }
  }

  /// - Parameter folder: the folder of the transcript that names plugins, if there is one.
  static func locator(
    _ line: CompletedLine, beside folder: String? = nil
  ) throws -> PluginLocator {
    var configuration = SessionConfiguration()
    configuration.scriptFolder = folder
    configuration.pluginPath = (line.values["plugin-path"] ?? []).map(expanded)
    return try configuration.locator()
  }

  private static func load(
    _ name: String, _ line: CompletedLine, beside folder: String? = nil
  ) throws -> RemotePlugin {
    let path = try locator(line, beside: folder).absolutePath(of: expanded(name))
    var limits = StepLimits()
    limits.time = maxTime
    limits.loadTime = maxTime
    let sandbox = Sandbox(try SandboxPolicy().mode(nil))
    let lock = try line.values["lock"]?.last.map { try PluginLock(contentsOf: expanded($0)) }
    return try RemotePlugin(path: path, name: name, limits: limits, sandbox: sandbox, lock: lock)
  }

  /// A path as the shell will pass it on: `~` stands for the user's home.
  private static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = Environment.path("HOME") else { return path }
    return home + path.dropFirst()
  }
}

import HostCore

/// What transcripts that are played one after the other need again and again.
final class ReplayResources {
  private let pluginPath: [String]
  private let variable = Environment.value("VMHOST_PLUGIN_PATH")
  private var executable: String?
  /// Where plugins are, by the folder of the transcript and the name in it.
  private var paths: [String: [String: String]] = [:]
  private var secrets: [Set<String>: Secrets] = [:]

  init(pluginPath: [String]) { self.pluginPath = pluginPath }

  /// The absolute path of the plugin that a transcript in `folder` calls `name`.
  func path(of name: String, in folder: String?) throws -> String {
    if let path = paths[folder ?? ""]?[name] { return path }
    let executable = try self.executable ?? Files.executableFolder()
    self.executable = executable
    let locator = PluginLocator(
      script: folder, given: pluginPath, variable: variable, executable: executable)
    let path = try Files.absolute(try locator.path(of: name))
    paths[folder ?? "", default: [:]][name] = path
    return path
  }

  /// A path that a file in `folder` names.
  static func path(_ path: String, from folder: String?) -> String {
    guard let folder, !path.hasPrefix("/") else { return path }
    return "\(folder)/\(path)"
  }

  /// Secrets of these names. None is known in a replay, so each is what a recorder writes for it.
  func secrets(_ names: Set<String>) -> Secrets {
    if let known = secrets[names] { return known }
    var made = Secrets()
    for name in names.sorted() { made.add(name, value: Secrets.placeholder(for: name)) }
    secrets[names] = made
    return made
  }
}

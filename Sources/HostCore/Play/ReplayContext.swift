/// What transcripts that are played one after the other have in common: where plugins are, and what
/// stands for secrets.
package final class ReplayContext {
  private let pluginPath: [String]
  /// Where plugins are, by the folder of the transcript and the name in it.
  private var paths: [String: [String: String]] = [:]
  private var secrets: [Set<String>: Secrets] = [:]

  package init(pluginPath: [String]) { self.pluginPath = pluginPath }

  /// The absolute path of the plugin that a transcript in `folder` calls `name`.
  package func path(of name: String, in folder: String?) throws -> String {
    if let path = paths[folder ?? ""]?[name] { return path }
    var configuration = SessionConfiguration()
    configuration.pluginPath = pluginPath
    configuration.scriptFolder = folder
    let path = try configuration.locator().absolutePath(of: name)
    paths[folder ?? "", default: [:]][name] = path
    return path
  }

  /// Secrets of these names. None is known in a replay, so each is what a recorder writes for it.
  package func secrets(_ names: Set<String>) -> Secrets {
    if let known = secrets[names] { return known }
    var made = Secrets()
    for name in names.sorted() { made.add(name, value: Secrets.placeholder(for: name)) }
    secrets[names] = made
    return made
  }
}

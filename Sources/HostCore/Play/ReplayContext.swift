/// What transcripts that are played one after the other share: the paths of plugins, and the
/// placeholders for secrets.
package final class ReplayContext {
  private let pluginPath: [String]
  /// Where transcripts may name files; nil for anywhere.
  package let fence: PathFence?
  /// The paths of plugins, by the folder of the transcript and by the name in it.
  private var paths: [PathKey: [PathKey: String]] = [:]
  private var secrets: [Set<String>: Secrets] = [:]

  package init(pluginPath: [String], fence: PathFence? = nil) {
    self.pluginPath = pluginPath
    self.fence = fence
  }

  /// The absolute path of the plugin that a transcript in `folder` calls `name`.
  package func path(of name: String, in folder: String?) throws -> String {
    let (folderKey, key) = (PathKey(folder ?? ""), PathKey(name))
    if let path = paths[folderKey]?[key] { return path }
    var configuration = SessionConfiguration()
    configuration.pluginPath = pluginPath
    configuration.scriptFolder = folder
    let found: String
    do { found = try configuration.locator().path(of: name) } catch {
      for place in [name, Files.path(name, from: folder)] { try fence?.check(name, at: place) }
      throw error
    }
    try fence?.check(plugin: name, at: found)
    let path = try Files.absolute(found)
    paths[folderKey, default: [:]][key] = path
    return path
  }

  /// Secrets with these names. A replay doesn't know their values, so each is its placeholder.
  package func secrets(_ names: Set<String>) -> Secrets {
    if let known = secrets[names] { return known }
    var made = Secrets()
    for name in names.sorted() { made.add(name, value: Secrets.placeholder(for: name)) }
    secrets[names] = made
    return made
  }
}

public import ViewModelKit

/// Puts the layers together: the one place that knows which data answers.
enum RepositoriesComposition {
  static func searchCodeRepositories(http: HTTP) -> SearchCodeRepositories {
    SearchCodeRepositories(source: GitHubCodeRepositoriesSource(http: http))
  }
}

let plugin = Plugin(
  id: "repositories", version: "1.0.0", RepositoriesViewModel.self, NoteViewModel.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }

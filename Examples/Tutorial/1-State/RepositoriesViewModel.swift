public import ViewModelKit

/// Searches for repositories while the user types.
final class RepositoriesViewModel: ViewModel {
  static let id = "repositories.search"

  /// The rows of the latest search.
  let repositories = State<[RepositoryRow]>([])

  func start(_ context: Context<NoConfig>) {}
}

/// A repository as the list shows it.
struct RepositoryRow: Codable, Sendable {
  let name: String
}

let plugin = Plugin(id: "repositories", version: "1.0.0", RepositoriesViewModel.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }

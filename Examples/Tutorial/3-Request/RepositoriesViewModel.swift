public import ViewModelKit

/// Searches for repositories while the user types.
final class RepositoriesViewModel: ViewModel {
  static let id = "repositories.search"

  /// Send the text at each keystroke; null is ignored.
  let didChangeQuery = Input<String?>()

  /// The rows of the latest search; none after one that failed.
  let repositories = State<[RepositoryRow]>([])
  let showLoading = Signal<NoValue>()
  let hideLoading = Signal<NoValue>()

  let http = HTTP()

  let load = Work(.latest, debounce: .milliseconds(300))

  func start(_ context: Context<NoConfig>) {
    didChangeQuery.on { query in
      guard let query else { return }
      self.load.start { try await self.fetch(query) }
    }
  }

  private func fetch(_ query: String) async throws {
    showLoading.emit()
    let rows = try await rows(matching: query)
    hideLoading.emit()
    repositories.value = rows
  }

  private func rows(matching query: String) async throws -> [RepositoryRow] {
    let url = "https://api.github.com/search/repositories?q=\(PercentEncoding.encode(query))"
    do {
      let response = try await http.get(url)
      return response.isSuccess ? try response.decode(SearchResponse.self).items : []
    } catch is EffectError {
      return []
    }
  }
}

/// A repository as the list shows it.
struct RepositoryRow: Codable, Sendable {
  let name: String
}

/// What GitHub answers; other keys than these are ignored.
struct SearchResponse: Decodable {
  let items: [RepositoryRow]
}

let plugin = Plugin(id: "repositories", version: "1.0.0", RepositoriesViewModel.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }

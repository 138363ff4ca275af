import ViewModelKit

/// Searches for repositories while the user types.
final class RepositoriesViewModel: ViewModel {
  static let id = "repositories.search"

  /// Send the text at each keystroke; null is ignored.
  let didChangeQuery = Input<String?>()
  /// Send the place of the row, from 0; one that isn't there is ignored.
  let didSelectRow = Input<Int>()

  /// The rows of the latest search; none after one that failed.
  let repositories = State<[RepositoryRow]>([])
  let showLoading = Signal<NoValue>()
  let hideLoading = Signal<NoValue>()
  /// Emits the id of the repository that was selected.
  let displayAlert = Signal<Int64>()

  let http = HTTP()

  let load = Work(.latest, debounce: .milliseconds(300))

  private var found: [CodeRepository] = []

  func start(_ context: Context<NoConfig>) {
    let search = RepositoriesComposition.searchCodeRepositories(http: http)
    didChangeQuery.on { query in
      guard let query else { return }
      self.load.start { try await self.fetch(query, with: search) }
    }
    didSelectRow.on { index in
      guard self.found.indices.contains(index) else { return }
      self.displayAlert.emit(self.found[index].id)
    }
  }

  private func fetch(_ query: String, with search: SearchCodeRepositories) async throws {
    showLoading.emit()
    found = try await search.execute(query)
    hideLoading.emit()
    repositories.value = found.map { RepositoryRow(name: $0.name) }
  }
}

/// A repository as the list shows it.
struct RepositoryRow: Codable, Sendable {
  let name: String
}

import ViewModelKit

/// Searches for repositories while the user types.
final class RepositoriesViewModel: ViewModel {
  static let id = "account.repositories"

  private static let initialQuery = "rxswift"
  private static let shortestQuery = 3

  /// Send once the view is there: it begins with a search of its own.
  let viewDidLoad = Input<NoValue>()
  /// Send the text at each keystroke; null is ignored.
  let didChangeQuery = Input<String?>()
  /// Send the place of the row, from 0; one that isn't there is ignored.
  let didSelectRow = Input<Int>()

  /// The rows of the latest search; none after one that failed.
  let repositories = State<[RepositoryRow]>([])
  /// Emits when a request begins; one that replaces another isn't preceded by `hideLoading`.
  let showLoading = Signal<NoValue>()
  let hideLoading = Signal<NoValue>()
  /// Emits the id of the repository that was selected.
  let displayAlert = Signal<Int64>()

  let http = HTTP()

  let load = Work(.latest, debounce: .milliseconds(300))

  private var queries = Distinct<String>()
  private var found: [CodeRepository] = []

  func start(_ context: Context<NoConfig>) {
    let search = AccountComposition.searchCodeRepositories(http: http)
    viewDidLoad.on { self.fetchInitial(with: search) }
    didChangeQuery.on { query in
      if let query { self.changeQuery(to: query, with: search) }
    }
    didSelectRow.on { self.selectRow(at: $0) }
  }

  private func changeQuery(to query: String, with search: SearchCodeRepositories) {
    guard !query.isEmpty else { return fetchInitial(with: search) }
    guard query.count >= Self.shortestQuery, queries.accepts(query) else { return }
    load.start { try await self.fetch(query, with: search) }
  }

  /// Takes the place of any other search, so the query before it may come again.
  private func fetchInitial(with search: SearchCodeRepositories) {
    queries.reset()
    load.startAtOnce { try await self.fetch(Self.initialQuery, with: search) }
  }

  private func fetch(_ query: String, with search: SearchCodeRepositories) async throws {
    showLoading.emit()
    found = try await search.execute(query)
    hideLoading.emit()
    repositories.value = found.map(RepositoryRow.init)
  }

  private func selectRow(at index: Int) {
    guard found.indices.contains(index) else { return }
    displayAlert.emit(found[index].id)
  }
}

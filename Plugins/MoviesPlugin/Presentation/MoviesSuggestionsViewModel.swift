import ViewModelKit

/// Suggests the queries that were searched for lately.
final class MoviesSuggestionsViewModel: ViewModel {
  typealias Config = MoviesSuggestionsConfig

  static let id = "movies.suggestions"

  /// Send each time the suggestions come into view: it reads them anew.
  let viewWillAppear = Input<NoValue>()
  let didSelect = Input<MoviesSuggestion>()

  /// The newest query first.
  let items = State<[MoviesSuggestion]>([])
  let didSelectQuery = Signal<String>()

  let storage = Storage()

  let load = Work(.latest)

  func start(_ context: Context<MoviesSuggestionsConfig>) {
    let limit = context.config.numberOfQueriesToShow
    let warn: Warn = { context.log(.warning, $0) }
    let fetchRecentQueries = MoviesComposition(config: context.config.shared)
      .fetchRecentQueries(storage: storage, warn: warn)
    viewWillAppear.start(load) {
      do {
        let queries = try await fetchRecentQueries.execute(limit: limit)
        self.items.value = queries.map { MoviesSuggestion(query: $0.text) }
      } catch let cancellation as CancellationError {
        throw cancellation
      } catch {
        warn("The recent queries can't be read, so the suggestions stay: \(error)")
      }
    }
    didSelect.on { self.didSelectQuery.emit($0.query) }
  }
}

import ViewModelKit

/// Searches for movies and shows what was found, page by page.
final class MoviesListViewModel: ViewModel {
  typealias Config = MoviesConfig

  static let id = "movies.list"

  /// Send once the view is there.
  let viewDidLoad = Input<NoValue>()
  /// Send the text when the user asks to search for it; an empty one is ignored.
  let didSearch = Input<String>()
  /// Send when the end of the list comes into view.
  let didLoadNextPage = Input<NoValue>()
  let didCancelSearch = Input<NoValue>()
  /// Send when the search field is entered.
  let showQueriesSuggestions = Input<NoValue>()
  /// Send when the search field is left.
  let closeQueriesSuggestions = Input<NoValue>()
  /// Send the place of the row, from 0; one that isn't there is ignored.
  let didSelectItem = Input<Int>()
  /// Send the query that was picked from the suggestions.
  let didSelectQuery = Input<String>()

  /// The rows of all pages, in the order in which the pages came.
  let items = State<[MoviesListRow]>([])
  let isEmpty = State(true, .distinct)
  let loading = State(MoviesLoading.none)
  /// What was searched for last.
  let query = State("")
  /// The latest failure in words; emitted each time, and never taken back.
  let error = State("")
  let labels = State(MoviesListLabels(.english))
  let showMovieDetails = Signal<MovieDetails>()
  let showMovieQueriesSuggestions = Signal<NoValue>()
  let closeMovieQueriesSuggestions = Signal<NoValue>()

  let http = HTTP()
  let storage = Storage()
  let timer = Timer()

  let load = Work(.latest)

  private var texts = MovieTexts.english
  private var searchMovies: SearchMovies?
  private var paging: MoviesPaging?

  func start(_ context: Context<MoviesConfig>) {
    texts = MovieTexts.texts(locale: context.locale)
    labels.value = MoviesListLabels(texts)
    searchMovies = MoviesComposition(config: context.config)
      .searchMovies(
        http: http, storage: storage, timer: timer, warn: { context.log(.warning, $0) })

    // Nothing listens to viewDidLoad: the first frame is all that there is to show.
    didSearch.on { self.search($0) }
    didSelectQuery.on { self.search($0) }
    didLoadNextPage.on { self.loadNextPage() }
    didCancelSearch.on { self.cancelSearch() }
    showQueriesSuggestions.on { self.showMovieQueriesSuggestions.emit() }
    closeQueriesSuggestions.on { self.closeMovieQueriesSuggestions.emit() }
    didSelectItem.on { self.selectItem(at: $0) }
  }

  private func search(_ text: String) {
    guard !text.isEmpty else { return }
    paging = MoviesPaging(query: MovieQuery(text: text))
    showItems()
    loadPage(1, showing: .fullScreen)
  }

  private func loadNextPage() {
    guard loading.value == .none, let nextPage = paging?.nextPage else { return }
    loadPage(nextPage, showing: .nextPage)
  }

  private func cancelSearch() {
    guard loading.value != .none else { return }
    load.cancel()
    loading.value = .none
  }

  private func selectItem(at index: Int) {
    guard let movies = paging?.movies, movies.indices.contains(index) else { return }
    showMovieDetails.emit(MovieDetails(movies[index]))
  }

  private func loadPage(_ number: Int, showing spinner: MoviesLoading) {
    guard let searchMovies, let wanted = paging?.query else { return }
    loading.value = spinner
    query.value = wanted.text
    load.start {
      do {
        let page = try await searchMovies.execute(wanted, page: number) { cached in
          self.paging?.show(cached: cached)
          self.showItems()
        }
        self.paging?.moveOn(to: page)
        self.showItems()
      } catch let failure as MoviesFailure {
        self.error.value = failure == .offline ? self.texts.noConnection : self.texts.failedLoading
      }
      self.loading.value = .none
    }
  }

  private func showItems() {
    let movies = paging?.movies ?? []
    items.value = movies.map { MoviesListRow($0, texts: texts) }
    isEmpty.value = movies.isEmpty
  }
}

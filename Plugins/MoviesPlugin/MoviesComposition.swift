import ViewModelKit

/// Takes a sentence for the log about what went wrong but spoils nothing.
typealias Warn = @ViewModelActor @Sendable (String) -> Void

/// Puts the layers together: the one place that knows which data answers which use case.
struct MoviesComposition: Sendable {
  let config: MoviesConfig

  func searchMovies(
    http: HTTP, storage: Storage, timer: Timer, warn: @escaping Warn
  ) -> SearchMovies {
    SearchMovies(
      movies: DefaultMoviesRepository(
        source: source(http: http, timer: timer),
        cache: MoviesResponseCache(storage: storage, warn: warn)),
      recentQueries: DefaultRecentQueriesRepository(storage: storage, warn: warn))
  }

  func fetchPosterImage(http: HTTP) -> FetchPosterImage {
    FetchPosterImage(
      posters: NetworkPosterImagesRepository(http: http, imageBase: config.imageBase))
  }

  func fetchRecentQueries(storage: Storage, warn: @escaping Warn) -> FetchRecentQueries {
    FetchRecentQueries(recentQueries: DefaultRecentQueriesRepository(storage: storage, warn: warn))
  }

  private func source(http: HTTP, timer: Timer) -> any MoviesSource {
    switch config.source {
    case .catalogue:
      CatalogueMoviesSource(timer: timer)
    case .tmdb:
      NetworkMoviesSource(
        http: http, apiBase: config.apiBase, apiKey: config.apiKey, language: config.language)
    }
  }
}

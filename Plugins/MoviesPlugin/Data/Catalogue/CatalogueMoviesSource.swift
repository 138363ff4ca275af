import ViewModelKit

/// Answers from the bundled catalogue, as late as a network might.
struct CatalogueMoviesSource: MoviesSource {
  let timer: Timer

  func response(to query: MovieQuery, page: Int) async throws -> MoviesResponse {
    do {
      try await timer.sleep(for: .milliseconds(200))
    } catch let error as EffectError {
      throw MoviesFailure(error)
    }
    return Catalogue.bundled.response(to: query, page: page)
  }
}

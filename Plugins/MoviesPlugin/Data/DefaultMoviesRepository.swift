/// The cache first, then the source, always both.
struct DefaultMoviesRepository: MoviesRepository {
  let source: any MoviesSource
  let cache: MoviesResponseCache

  func page(
    _ number: Int, of query: MovieQuery, cached: (MoviesPage) -> Void
  ) async throws -> MoviesPage {
    if let response = try await cache.response(to: query, page: number) {
      cached(response.moviesPage)
    }
    let response = try await source.response(to: query, page: number)
    try await cache.save(response, to: query, page: number)
    return response.moviesPage
  }
}

/// Finds a page of the movies whose titles answer a query, and remembers the query.
struct SearchMovies: Sendable {
  let movies: any MoviesRepository
  let recentQueries: any RecentQueriesRepository

  /// Hands over the cached page, if there is one, and returns the fresh page. The query is among
  /// the recent ones by the time the fresh page is returned; a cached page alone saves nothing.
  func execute(
    _ query: MovieQuery, page: Int, cached: (MoviesPage) -> Void
  ) async throws -> MoviesPage {
    let fresh = try await movies.page(page, of: query, cached: cached)
    try await recentQueries.save(query)
    return fresh
  }
}

/// Whoever answers a search: the network, or the bundled catalogue in its place.
protocol MoviesSource: Sendable {
  /// Throws a `MoviesFailure`, or what ended the work early.
  func response(to query: MovieQuery, page: Int) async throws -> MoviesResponse
}

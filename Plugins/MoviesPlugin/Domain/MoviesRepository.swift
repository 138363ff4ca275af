/// Where pages of search results come from.
protocol MoviesRepository: Sendable {
  /// Hands over the page as it was last seen, if it was, then asks the source and returns what the
  /// source says. The order of the two is certain, and a page that was seen never spares the
  /// asking. Throws a `MoviesFailure`, or what ended the work early.
  func page(
    _ number: Int, of query: MovieQuery, cached: (MoviesPage) -> Void
  ) async throws -> MoviesPage
}

/// The queries that found their way to the source lately.
protocol RecentQueriesRepository: Sendable {
  /// Returns the queries, newest first, at most `limit` of them; throws when they can't be read.
  func recent(limit: Int) async throws -> [MovieQuery]

  /// Puts the query first, and only there. Throws only what ended the work early: a query that
  /// can't be saved is given up, because no result should be lost over a convenience.
  func save(_ query: MovieQuery) async throws
}

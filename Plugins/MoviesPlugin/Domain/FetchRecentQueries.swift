/// Finds the queries of the latest successful searches, newest first.
struct FetchRecentQueries: Sendable {
  let recentQueries: any RecentQueriesRepository

  /// Returns as many as the repository gives for `limit`; throws when they can't be read.
  func execute(limit: Int) async throws -> [MovieQuery] {
    try await recentQueries.recent(limit: limit)
  }
}

/// The record of the recent queries in storage, newest first. It is never changed, only replaced.
struct StoredRecentQueries: Codable, Equatable, Sendable {
  static let capacity = 10

  let queries: [String]

  /// Returns the record with the query at the front and nowhere else.
  func adding(_ query: MovieQuery) -> StoredRecentQueries {
    let others = queries.filter { MovieQuery(text: $0) != query }
    return StoredRecentQueries(queries: Array(([query.text] + others).prefix(Self.capacity)))
  }
}

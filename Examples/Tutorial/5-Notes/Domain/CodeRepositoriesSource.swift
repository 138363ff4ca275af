/// Where repositories are searched for.
protocol CodeRepositoriesSource: Sendable {
  /// Returns what answers the query. Throws `CodeRepositoriesUnavailable`, or what ended the work
  /// early.
  func repositories(matching query: String) async throws -> [CodeRepository]
}

/// The source can't be reached, refused, or said what can't be read.
struct CodeRepositoriesUnavailable: Error {}

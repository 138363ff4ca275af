/// Finds the repositories that answer a query.
struct SearchCodeRepositories: Sendable {
  let source: any CodeRepositoriesSource

  /// Returns none also when the source can't answer: to the user the two look the same. Throws only
  /// what ended the work early.
  func execute(_ query: String) async throws -> [CodeRepository] {
    do {
      return try await source.repositories(matching: query)
    } catch is CodeRepositoriesUnavailable {
      return []
    }
  }
}

/// Finds the repositories that answer a query.
struct SearchCodeRepositories: Sendable {
  let source: any CodeRepositoriesSource

  /// Returns none also when the source has no answer, which nobody is told apart. Throws what ended
  /// the work early.
  func execute(_ query: String) async throws -> [CodeRepository] {
    do {
      return try await source.repositories(matching: query)
    } catch is CodeRepositoriesUnavailable {
      return []
    }
  }
}

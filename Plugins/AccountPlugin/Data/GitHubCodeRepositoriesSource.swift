import ViewModelKit

/// Searches GitHub.
struct GitHubCodeRepositoriesSource: CodeRepositoriesSource {
  private static let search = "https://api.github.com/search/repositories"

  let http: HTTP

  func repositories(matching query: String) async throws -> [CodeRepository] {
    do {
      let response = try await http.get("\(Self.search)?q=\(PercentEncoding.encode(query))")
      guard response.isSuccess else { throw CodeRepositoriesUnavailable() }
      return try response.decode(CodeRepositoriesResponse.self).repositories
    } catch is EffectError {
      throw CodeRepositoriesUnavailable()
    }
  }
}

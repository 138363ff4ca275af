import ViewModelKit

/// Searches GitHub.
struct GitHubCodeRepositoriesSource: CodeRepositoriesSource {
  let http: HTTP

  func repositories(matching query: String) async throws -> [CodeRepository] {
    let url = "https://api.github.com/search/repositories?q=\(PercentEncoding.encode(query))"
    do {
      let response = try await http.get(url)
      guard response.isSuccess else { throw CodeRepositoriesUnavailable() }
      return try response.decode(CodeRepositoriesResponse.self).repositories
    } catch is EffectError {
      throw CodeRepositoriesUnavailable()
    }
  }
}

/// Search results as GitHub sends them; other keys than these are ignored.
struct CodeRepositoriesResponse: Decodable {
  struct Item: Decodable {
    let id: Int64
    let name: String
  }

  let items: [Item]

  var repositories: [CodeRepository] {
    items.map { CodeRepository(id: $0.id, name: $0.name) }
  }
}

import ViewModelKit

/// Asks GitHub for the page of the user: whoever has none could be a new one.
struct GitHubUsernamesRepository: UsernamesRepository {
  let http: HTTP

  func isTaken(_ username: String) async throws -> Bool {
    do {
      let url = "https://github.com/\(PercentEncoding.encode(username))"
      return try await http.get(url).status != 404
    } catch is EffectError {
      throw UsernamesUnreachable()
    }
  }
}

import ViewModelKit

/// Asks a TMDB-shaped server.
struct NetworkMoviesSource: MoviesSource {
  let http: HTTP
  let apiBase: String
  let apiKey: String
  let language: String

  func response(to query: MovieQuery, page: Int) async throws -> MoviesResponse {
    let response: HTTPResponse
    do {
      response = try await http.get(url(of: query, page: page))
    } catch let error as EffectError {
      throw MoviesFailure(error)
    }
    guard response.isSuccess else { throw MoviesFailure.unavailable }
    do {
      return try response.decode(MoviesResponse.self)
    } catch {
      throw MoviesFailure.unavailable
    }
  }

  private func url(of query: MovieQuery, page: Int) -> String {
    let items = [
      ("query", query.text), ("page", String(page)), ("api_key", apiKey), ("language", language),
    ]
    let encoded = items.map { name, value in "\(name)=\(PercentEncoding.encode(value))" }
    return "\(apiBase)/3/search/movie?\(encoded.joined(separator: "&"))"
  }
}

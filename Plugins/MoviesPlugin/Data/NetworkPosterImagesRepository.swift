import ViewModelKit

/// Fetches posters from a TMDB-shaped image server.
struct NetworkPosterImagesRepository: PosterImagesRepository {
  let http: HTTP
  let imageBase: String

  func image(at path: String, width: Int) async throws -> [UInt8] {
    let url = "\(imageBase)/t/p/w\(PosterWidth.nearest(to: width))\(path)"
    let response: HTTPResponse
    do {
      response = try await http.get(url)
    } catch let error as EffectError {
      throw MoviesFailure(error)
    }
    guard response.isSuccess else { throw MoviesFailure.unavailable }
    return switch response.body {
    case .bytes(let bytes), .json(let bytes): bytes
    case .text(let text): Array(text.utf8)
    }
  }
}

/// A page of search results as it travels: the body of the response, and the record in the cache.
///
/// A key that isn't here is ignored; a key that is here and has another kind of value makes the
/// whole page unreadable, an unknown genre included.
struct MoviesResponse: Codable, Equatable, Sendable {
  struct Result: Codable, Equatable, Sendable {
    enum Genre: String, Codable, Sendable {
      case adventure
      case scienceFiction = "science_fiction"
    }

    enum CodingKeys: String, CodingKey {
      case id
      case title
      case genre
      case posterPath = "poster_path"
      case overview
      case releaseDate = "release_date"
    }

    let id: Int64
    let title: String?
    let genre: Genre?
    let posterPath: String?
    let overview: String?
    let releaseDate: String?
  }

  enum CodingKeys: String, CodingKey {
    case page
    case totalPages = "total_pages"
    case results
  }

  let page: Int
  let totalPages: Int
  let results: [Result]
}

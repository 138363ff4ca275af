/// A movie on its way from the list to its own screen: the value of the list's signal, and a
/// member of the details' config.
struct MovieDetails: Codable, Equatable, Sendable {
  enum Genre: String, Codable, CaseIterable, Sendable {
    case adventure
    case scienceFiction = "science_fiction"
  }

  let id: String
  let title: String?
  let genre: Genre?
  let posterPath: String?
  let overview: String?
  /// `yyyy-MM-dd`.
  let releaseDate: String?

  init(_ movie: Movie) {
    id = movie.id
    title = movie.title
    genre = movie.genre.map { genre in
      switch genre {
      case .adventure: .adventure
      case .scienceFiction: .scienceFiction
      }
    }
    posterPath = movie.posterPath
    overview = movie.overview
    releaseDate = movie.releaseDate.map(ISO8601.text)
  }

  /// Written out because the synthesized one leaves a nil member out, and this has all six.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encode(genre, forKey: .genre)
    try container.encode(posterPath, forKey: .posterPath)
    try container.encode(overview, forKey: .overview)
    try container.encode(releaseDate, forKey: .releaseDate)
  }
}

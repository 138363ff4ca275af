/// A movie as the list shows it.
struct MoviesListRow: Codable, Equatable, Sendable {
  let title: String
  let overview: String
  let releaseDate: String
  let posterImagePath: String?

  init(_ movie: Movie, texts: MovieTexts) {
    title = movie.title ?? ""
    overview = movie.overview ?? ""
    releaseDate = movie.releaseDate.map(texts.releaseDate) ?? texts.toBeAnnounced
    posterImagePath = movie.posterPath
  }

  /// Written out because the synthesized one leaves a nil member out, and a row has all four.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    try container.encode(overview, forKey: .overview)
    try container.encode(releaseDate, forKey: .releaseDate)
    try container.encode(posterImagePath, forKey: .posterImagePath)
  }
}

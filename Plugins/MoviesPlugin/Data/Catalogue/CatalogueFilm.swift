/// A film of the bundled catalogue: facts, and a sentence of our own about it.
struct CatalogueFilm: Sendable {
  /// The first release in the United States, as `yyyy-MM-dd`.
  let releaseDate: String
  let title: String
  let genre: MoviesResponse.Result.Genre?
  let overview: String

  init(
    _ releaseDate: String, _ title: String, _ genre: MoviesResponse.Result.Genre?,
    _ overview: String
  ) {
    self.releaseDate = releaseDate
    self.title = title
    self.genre = genre
    self.overview = overview
  }
}

/// The bundled films, oldest first, and the search among them.
struct Catalogue: Sendable {
  static let pageSize = 10

  /// All that comes with the plugin.
  static let bundled = Catalogue(
    films: CatalogueFilm.until1979 + CatalogueFilm.from1980 + CatalogueFilm.from1990
      + CatalogueFilm.since2000)

  let films: [CatalogueFilm]

  /// Returns a page of the films whose titles contain the query, whatever the case, in the
  /// catalogue's order. Like its model on the network, it says that nothing found is one page.
  func response(to query: MovieQuery, page: Int) -> MoviesResponse {
    let wanted = Array(query.text.lowercased().utf8)
    let found = films.enumerated().filter { _, film in
      Array(film.title.lowercased().utf8).contains(wanted)
    }
    let pages = max(1, (found.count + Self.pageSize - 1) / Self.pageSize)
    let shown = page >= 1 && page <= pages ? found.dropFirst((page - 1) * Self.pageSize) : []
    return MoviesResponse(
      page: page, totalPages: pages,
      results: shown.prefix(Self.pageSize).map { Self.result($0.element, at: $0.offset) })
  }

  /// The ids are our own: the film's place in the catalogue, from 1.
  private static func result(_ film: CatalogueFilm, at index: Int) -> MoviesResponse.Result {
    MoviesResponse.Result(
      id: Int64(index + 1), title: film.title, genre: film.genre, posterPath: nil,
      overview: film.overview, releaseDate: film.releaseDate)
  }
}

extension [UInt8] {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard part.count <= count else { return false }
    return (0...(count - part.count)).contains { self[$0...].starts(with: part) }
  }
}

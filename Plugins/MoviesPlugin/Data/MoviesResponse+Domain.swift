extension MoviesResponse {
  var moviesPage: MoviesPage {
    MoviesPage(number: page, totalPages: totalPages, movies: results.map(\.movie))
  }
}

extension MoviesResponse.Result {
  fileprivate var movie: Movie {
    Movie(
      id: String(id),
      title: title,
      genre: genre?.domainGenre,
      posterPath: posterPath,
      overview: overview,
      releaseDate: releaseDate.flatMap(CalendarDate.init(iso8601:)))
  }
}

extension MoviesResponse.Result.Genre {
  fileprivate var domainGenre: Movie.Genre {
    switch self {
    case .adventure: .adventure
    case .scienceFiction: .scienceFiction
    }
  }
}

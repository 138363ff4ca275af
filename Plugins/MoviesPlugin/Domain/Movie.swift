/// A film as the search knows it; what the source left out is nil.
struct Movie: Equatable, Sendable {
  enum Genre: Equatable, Sendable {
    case adventure
    case scienceFiction
  }

  let id: String
  let title: String?
  let genre: Genre?
  let posterPath: String?
  let overview: String?
  /// Nil also when the source gave a date that no calendar has.
  let releaseDate: CalendarDate?
}

/// One page of a search's results, in the order of the source.
struct MoviesPage: Equatable, Sendable {
  /// From 1.
  let number: Int
  /// How many pages the search has, as the source knew when it gave this one.
  let totalPages: Int
  let movies: [Movie]
}

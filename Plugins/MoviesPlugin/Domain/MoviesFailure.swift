/// Why a page or an image did not come, as far as it makes a difference to anybody.
enum MoviesFailure: Error, Equatable {
  /// There is no way to the source at all.
  case offline
  /// The source did not answer in time, refused, or said what can't be read.
  case unavailable
}

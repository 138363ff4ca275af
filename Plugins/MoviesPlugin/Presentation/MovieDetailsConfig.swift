import ViewModelKit

/// The shared settings, with the movie to show beside them.
struct MovieDetailsConfig: ViewModelConfig {
  private enum CodingKeys: String, CodingKey {
    case movie
  }

  var shared = MoviesConfig()
  var movie: MovieDetails?

  init() {}

  init(from decoder: any Decoder) throws {
    shared = try MoviesConfig(from: decoder)
    movie = try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent(MovieDetails.self, forKey: .movie)
  }

  func encode(to encoder: any Encoder) throws {
    try shared.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(movie, forKey: .movie)
  }
}

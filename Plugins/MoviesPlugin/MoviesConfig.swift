import ViewModelKit

/// The settings that all three view models share, so that one config serves a whole flow.
struct MoviesConfig: ViewModelConfig {
  enum Source: String, Codable, CaseIterable, Sendable {
    /// The films that come with the plugin: no network, no key.
    case catalogue
    /// A server that speaks The Movie Database's protocol, version 3.
    case tmdb
  }

  var source = Source.catalogue
  /// Where searches go, scheme and host, without a slash at its end.
  var apiBase = "https://api.themoviedb.org"
  /// Where posters come from, likewise.
  var imageBase = "https://image.tmdb.org"
  var apiKey = "$secret:tmdb"
  /// The language that the source is asked for; the plugin's own texts follow the locale.
  var language = "en-US"
}

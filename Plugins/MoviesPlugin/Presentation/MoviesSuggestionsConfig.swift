import ViewModelKit

/// The shared settings, with how many queries to suggest beside them.
struct MoviesSuggestionsConfig: ViewModelConfig {
  private enum CodingKeys: String, CodingKey {
    case numberOfQueriesToShow
  }

  var shared = MoviesConfig()
  var numberOfQueriesToShow = 10

  init() {}

  init(from decoder: any Decoder) throws {
    shared = try MoviesConfig(from: decoder)
    numberOfQueriesToShow = try decoder.container(keyedBy: CodingKeys.self)
      .decode(Int.self, forKey: .numberOfQueriesToShow)
  }

  func encode(to encoder: any Encoder) throws {
    try shared.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(numberOfQueriesToShow, forKey: .numberOfQueriesToShow)
  }
}

/// A recent query as the suggestions show it.
struct MoviesSuggestion: Codable, Equatable, Sendable {
  let query: String
}

/// What is being waited for: a first page, a further one, or nothing.
enum MoviesLoading: String, Codable, CaseIterable, Sendable {
  case none
  case fullScreen
  case nextPage
}

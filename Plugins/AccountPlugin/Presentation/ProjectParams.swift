/// A project on its way to this screen, and from it to the next.
struct ProjectParams: Codable, Equatable, Sendable {
  struct Creator: Codable, Equatable, Sendable {
    let name: String
  }

  let name: String
  let creator: Creator
}

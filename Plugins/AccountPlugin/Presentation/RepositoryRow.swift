/// A repository as the list shows it.
struct RepositoryRow: Codable, Equatable, Sendable {
  let name: String

  init(_ repository: CodeRepository) { name = repository.name }
}

/// Search results as GitHub sends them; other keys than these are ignored.
struct CodeRepositoriesResponse: Decodable {
  struct Item: Decodable {
    let id: Int64
    let name: String
  }

  let items: [Item]

  var repositories: [CodeRepository] {
    items.map { CodeRepository(id: $0.id, name: $0.name) }
  }
}

/// A repository of source code.
struct CodeRepository: Equatable, Sendable {
  let id: Int64
  let name: String
}

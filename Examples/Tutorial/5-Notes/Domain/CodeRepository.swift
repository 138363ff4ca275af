/// A repository of source code.
struct CodeRepository: Sendable {
  let id: Int64
  let name: String
}

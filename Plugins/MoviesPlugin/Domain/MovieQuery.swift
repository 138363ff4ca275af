/// What somebody searched for. Two queries are the same only if they are so to the byte.
///
/// `String` finds "é" as one scalar and as two equal; a search source need not.
struct MovieQuery: Equatable, Sendable {
  let text: String

  static func == (left: MovieQuery, right: MovieQuery) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }
}

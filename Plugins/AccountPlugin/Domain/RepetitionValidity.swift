/// Whether a password was repeated byte by byte, as a server compares it; whether it will do is
/// another matter.
enum RepetitionValidity: Equatable, Sendable {
  case empty
  case same
  case different

  init(_ repeated: String, of password: String) {
    self =
      if repeated.isEmpty {
        .empty
      } else if repeated.utf8.elementsEqual(password.utf8) {
        .same
      } else {
        .different
      }
  }
}

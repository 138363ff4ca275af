/// Whether a password was repeated as it is; whether it will do is another matter.
enum RepetitionValidity: Equatable, Sendable {
  case empty
  case same
  case different

  init(_ repeated: String, of password: String) {
    self =
      if repeated.isEmpty {
        .empty
      } else if repeated == password {
        .same
      } else {
        .different
      }
  }
}

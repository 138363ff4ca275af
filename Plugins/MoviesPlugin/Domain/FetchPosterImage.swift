/// Finds the poster of a movie in the size that suits the space for it.
struct FetchPosterImage: Sendable {
  let posters: any PosterImagesRepository

  /// Returns the bytes of the image. Throws a `MoviesFailure`, or what ended the work early.
  func execute(path: String, width: Int) async throws -> [UInt8] {
    try await posters.image(at: path, width: width)
  }
}

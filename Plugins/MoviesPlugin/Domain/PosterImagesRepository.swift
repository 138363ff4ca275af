/// Where posters come from.
protocol PosterImagesRepository: Sendable {
  /// Returns the bytes of the poster at `path`, in the size that is nearest to `width` pixels.
  /// Throws a `MoviesFailure`, or what ended the work early.
  func image(at path: String, width: Int) async throws -> [UInt8]
}

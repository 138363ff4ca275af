/// An image as the screen takes it.
struct PosterImage: Codable, Equatable, Sendable {
  let base64: String

  init(_ bytes: [UInt8]) {
    base64 = Base64.encode(bytes)
  }
}

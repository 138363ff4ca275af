/// Something with an image.
protocol ImagePresentable {
  /// Nil for none.
  var imageName: String? { get }
}

extension ImagePresentable {
  var imageName: String? { nil }
}

/// The widths, in pixels, in which posters are kept.
enum PosterWidth {
  private static let all = [92, 154, 185, 342, 500, 780]

  /// Returns the width that is nearest to the one given, and of two equally near the smaller.
  static func nearest(to width: Int) -> Int {
    for (narrower, wider) in zip(all, all.dropFirst()) where width <= (narrower + wider) / 2 {
      return narrower
    }
    return all[all.count - 1]
  }
}

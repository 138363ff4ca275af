/// Something with a text.
protocol TextPresentable {
  var text: String { get }
  var textColor: TraitColor { get }
  /// A family and a size in points.
  var font: String { get }
}

extension TextPresentable {
  var text: String { "" }
  var textColor: TraitColor { .black }
  var font: String { "system 17.0" }
}

/// Something with a text above others, which is blue.
protocol HeaderTextPresentable: TextPresentable {}

extension HeaderTextPresentable {
  var textColor: TraitColor { .blue }
}

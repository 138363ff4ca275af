/// Something with a field to type into.
protocol TextFieldPresentable {
  var placeholder: String { get }
  var fieldText: String { get }
}

extension TextFieldPresentable {
  var placeholder: String { "" }
  var fieldText: String { "" }
}

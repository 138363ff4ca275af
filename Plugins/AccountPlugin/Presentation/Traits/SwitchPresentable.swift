/// Something with a switch.
protocol SwitchPresentable {
  var switchOn: Bool { get }
  var switchColor: TraitColor { get }

  /// Returns what there is to tell the user when the switch is turned; nil for nothing.
  func message(whenSwitchedOn on: Bool) -> String?
}

extension SwitchPresentable {
  var switchOn: Bool { false }
  var switchColor: TraitColor { .purple }

  func message(whenSwitchedOn on: Bool) -> String? { nil }
}

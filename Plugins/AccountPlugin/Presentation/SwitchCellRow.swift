/// A cell with a switch, as the view takes it.
struct SwitchCellRow: Codable, Equatable, Sendable {
  let text: String
  let textColor: TraitColor
  let font: String
  let switchOn: Bool
  let switchColor: TraitColor
  let imageName: String?

  init(_ cell: some SwitchCellPresentable) {
    text = cell.text
    textColor = cell.textColor
    font = cell.font
    switchOn = cell.switchOn
    switchColor = cell.switchColor
    imageName = cell.imageName
  }

  /// Written out because the synthesized one leaves a nil member out, and a row has all six.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(textColor, forKey: .textColor)
    try container.encode(font, forKey: .font)
    try container.encode(switchOn, forKey: .switchOn)
    try container.encode(switchColor, forKey: .switchColor)
    try container.encode(imageName, forKey: .imageName)
  }
}

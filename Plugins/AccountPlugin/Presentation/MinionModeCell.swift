/// The cell that lets the Minions in.
struct MinionModeCell: SwitchCellPresentable {
  let text = "Minion Mode"
  let switchColor = TraitColor.yellow
  let imageName: String? = "minionParty.png"

  func message(whenSwitchedOn on: Bool) -> String? {
    on ? "The Minions are here to stay!" : "The Minions went out to play!"
  }
}

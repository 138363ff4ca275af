/// A cell that leaves everything to its traits.
struct DefaultsCell: SwitchCellPresentable {}

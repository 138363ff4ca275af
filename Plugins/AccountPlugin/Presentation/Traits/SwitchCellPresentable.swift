/// All that a cell with a switch shows.
typealias SwitchCellPresentable = TextPresentable & SwitchPresentable & ImagePresentable

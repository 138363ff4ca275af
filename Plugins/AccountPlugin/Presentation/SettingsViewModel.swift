import ViewModelKit

/// Shows cells with switches, and says what turning one does.
final class SettingsViewModel: ViewModel {
  static let id = "account.settings"

  /// Send the cell whose switch was turned, and what it was turned to.
  let onSwitchToggleOn = Input<Toggle>()

  let minionMode = State(SwitchCellRow(MinionModeCell()))
  let defaults = State(SwitchCellRow(DefaultsCell()))
  /// Emits what to tell the user.
  let message = Signal<String>()

  enum Cell: String, Codable, CaseIterable, Sendable {
    case minionMode
    case defaults

    var presentable: any SwitchCellPresentable {
      switch self {
      case .minionMode: MinionModeCell()
      case .defaults: DefaultsCell()
      }
    }
  }

  struct Toggle: Codable, Sendable {
    let cell: Cell
    let on: Bool
  }

  func start(_ context: Context<NoConfig>) {
    onSwitchToggleOn.on { toggle in
      guard let message = toggle.cell.presentable.message(whenSwitchedOn: toggle.on) else { return }
      self.message.emit(message)
    }
  }
}

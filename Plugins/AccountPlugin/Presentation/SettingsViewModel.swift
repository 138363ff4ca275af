import ViewModelKit

/// Shows cells with switches, and says what turning one does.
final class SettingsViewModel: ViewModel {
  static let id = "account.settings"

  /// Send the cell whose switch was turned, and what it was turned to. A cell that isn't there is
  /// refused as a value of the wrong type.
  let onSwitchToggleOn = Input<Toggle>()

  // The cells say where their switches begin. How a switch stands after that, its view alone knows,
  // so a turn changes neither.
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

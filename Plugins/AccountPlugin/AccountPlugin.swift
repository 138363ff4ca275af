public import ViewModelKit

let plugin = Plugin(
  id: "account", version: "1.0.0",
  SignupViewModel.self,
  LoginFormViewModel.self,
  RegisterViewModel.self,
  ResetPasswordViewModel.self,
  TwoFactorViewModel.self,
  LoginViewModel.self,
  StatisticsViewModel.self,
  RepositoriesViewModel.self,
  ProfileViewModel.self,
  BalanceViewModel.self,
  SettingsViewModel.self,
  PersonViewModel.self,
  UserCellViewModel.self,
  ProjectViewModel.self)

/// The one function that the host looks for.
@c(vm_plugin_entry_v1)
public func pluginEntry() -> PluginEntry {
  plugin.entry
}

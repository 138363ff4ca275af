public import ViewModelKit

let plugin = Plugin(
  id: "account", version: "1.0.0",
  LoginFormViewModel.self,
  RegisterViewModel.self,
  ResetPasswordViewModel.self,
  TwoFactorViewModel.self,
  StatisticsViewModel.self,
  RepositoriesViewModel.self,
  ProfileViewModel.self,
  PersonViewModel.self)

/// The one function that the host looks for.
@c(vm_plugin_entry_v1)
public func pluginEntry() -> PluginEntry {
  plugin.entry
}

public import ViewModelKit

// What Documentation/Habits.md shows.
let plugin = Plugin(
  id: "habits", version: "1.0.0", ShopViewModel.self, OfferViewModel.self, EggTimerViewModel.self,
  ThemeViewModel.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }

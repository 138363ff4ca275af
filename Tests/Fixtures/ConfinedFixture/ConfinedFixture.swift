public import ViewModelKit

// The plugin `confinedfixture`, which does what a confined plugin can't, and what it shouldn't.
//
// confined.acts    An input for each act; the signal `done` once it has come back from it.
// confined.opened  Config {"act":""}: makes the act of that name when it is opened.
// confined.leaky   Config {"leaks":true}: whether instances live on after they were closed. Input
//                  tap, signal `done`.
// confined.slow    Inputs busy(milliseconds) and asleep(milliseconds), which keep the process that
//                  long, and quick. Each emits the signal `done`.
let plugin = Plugin(
  id: "confinedfixture", version: "1.0.0", ConfinedActs.self, ConfinedOpening.self,
  LeakyViewModel.self, SlowViewModel.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }

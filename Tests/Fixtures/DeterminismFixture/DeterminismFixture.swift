public import ViewModelKit

// The plugin `determinismfixture`, which shows what a plugin sees of time, chance and order.
//
// sources.surroundings   Inputs without value, each with one signal `saw` of what it found: `date`,
//                        `clocks`, `uuid`, `random`, `setOrder`, `doubles`, `place`. Those that a
//                        host can't control: `addresses`, `processID`, `usage`, `globals`.
// sources.concurrency    Inputs that run asynchronous code, and signals `saw` of what happened in
//                        which order: `task`, `detached`, `group`, `children`, `actors`,
//                        `mainActor`, `sleep(milliseconds)`, `race`, `stream`, `yieldForever`,
//                        `sleepForever`, `share(milliseconds)`.
let plugin = Plugin(
  id: "determinismfixture", version: "1.0.0", Surroundings.self, Concurrency.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }

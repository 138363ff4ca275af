public import ViewModelKit

final class Greeter: ViewModel {
  static let id = "hello.greeter"

  let nameChanged = Input<String>()
  let cleared = Input<NoValue>()
  let greeting = State("Hello!")

  func start(_ context: Context<NoConfig>) {
    nameChanged.on { name in self.greeting.value = "Hello, \(name)!" }
    cleared.on { self.greeting.value = "Hello!" }
  }
}

let plugin = Plugin(id: "hello", version: "1.0.0", Greeter.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }

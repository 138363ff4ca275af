/// A library of view models: `let plugin = Plugin(id: "movies", version: "1.0.0", List.self)`.
///
/// A library has one. Its entry function returns `entry`:
///
///     @c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }
@ViewModelActor public final class Plugin {
  nonisolated let id: String
  nonisolated let version: String
  private nonisolated let makeTypes: @ViewModelActor @Sendable () -> [any ViewModel.Type]
  private(set) lazy var types = makeTypes()
  private(set) lazy var manifest = OwnedBytes(
    Manifest.json(id: id, version: version, types: types))

  public nonisolated init<each Model: ViewModel>(
    id: String, version: String, _ models: repeat (each Model).Type
  ) {
    self.id = id
    self.version = version
    makeTypes = {
      var types: [any ViewModel.Type] = []
      for type in repeat (each Model).self { types.append(type) }
      return types
    }
  }
}

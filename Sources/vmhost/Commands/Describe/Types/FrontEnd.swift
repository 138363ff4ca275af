import HostCore

/// What a front end may meet: view models, and with a flow the handles that it gives them.
struct FrontEnd {
  enum Language: String {
    case typescript, python
    case jsonSchema = "json-schema"
  }

  /// A handle of a flow, and the view models that it opens under it.
  struct Handle: Equatable {
    let name: String
    var viewModels: [String]
  }

  let plugins: [PluginManifest]
  /// The handles of the flow; nil without one.
  let handles: [Handle]?

  var viewModels: [ViewModelManifest] { plugins.flatMap(\.viewModels) }

  /// The names and versions of the plugins.
  var title: String {
    plugins.map { "\($0.id) \($0.version)" }.joined(separator: ", ")
  }

  /// - Parameter names: of the plugins, for the message.
  /// - Throws: if two plugins have a view model with the same id.
  init(_ plugins: [PluginManifest], named names: [String], _ flow: FlowDocument?) throws {
    self.plugins = plugins
    var owners: [String: String] = [:]
    for (plugin, name) in zip(plugins, names) {
      for model in plugin.viewModels {
        if let other = owners.updateValue(name, forKey: model.id) {
          throw Failure(.usage, "\"\(other)\" and \"\(name)\" both have \"\(model.id)\".")
        }
      }
    }
    handles = flow.map { flow in
      var handles: [Handle] = []
      for opening in flow.openings {
        guard let index = handles.firstIndex(where: { $0.name == opening.handle }) else {
          handles.append(Handle(name: opening.handle, viewModels: [opening.viewModel]))
          continue
        }
        if !handles[index].viewModels.contains(opening.viewModel) {
          handles[index].viewModels.append(opening.viewModel)
        }
      }
      return handles
    }
  }

  /// The names of the handles under which a flow opens a view model; nil without a flow.
  func handles(of viewModel: String) -> [String]? {
    handles?.filter { $0.viewModels.contains(viewModel) }.map(\.name)
  }

  func types(_ language: Language) throws -> String {
    switch language {
    case .typescript: try TypeScriptTypes.text(self)
    case .python: try PythonTypes.text(self)
    case .jsonSchema: try JSONSchemaTypes.text(self)
    }
  }
}

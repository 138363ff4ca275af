import Basics

// Looks up view models and instances by their names.
extension SessionEngine {
  /// The view model with that id, and the position of its plugin.
  ///
  /// - Throws: `unknown`, if no plugin has it or if more than one has it.
  func find(_ id: String) throws(SessionError) -> (Int, ViewModelManifest) {
    var found: (Int, ViewModelManifest)?
    for (index, plugin) in plugins.enumerated() {
      guard let viewModel = plugin.connection.manifest.viewModel(id) else { continue }
      if let found {
        throw SessionError(
          .unknown, "\"\(plugins[found.0].name)\" and \"\(plugin.name)\" both have \"\(id)\".")
      }
      found = (index, viewModel)
    }
    guard let found else {
      let known = manifests.flatMap(\.viewModels).map(\.id)
      throw SessionError(
        .unknown,
        "there is no view model \"\(id)\"." + NearestName.hint(for: id, among: known))
    }
    return found
  }

  package func isOpen(_ handle: String) -> Bool { byHandle[handle] != nil }

  /// The living instance with that handle.
  ///
  /// - Throws: `unknown`, if there is none.
  package func instance(_ handle: String) throws(SessionError) -> SessionInstance {
    if let found = byHandle[handle] { return found }
    throw SessionError(
      .unknown,
      "there is no instance \"\(handle)\"."
        + NearestName.hint(for: handle, among: instances.map(\.handle)))
  }
}

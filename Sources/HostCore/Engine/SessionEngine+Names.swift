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
          .mistake(.unknownViewModel),
          "\"\(plugins[found.0].name)\" and \"\(plugin.name)\" both have \"\(id)\".")
      }
      found = (index, viewModel)
    }
    guard let found else {
      let known = manifests.flatMap(\.viewModels).map(\.id)
      throw SessionError(
        .mistake(.unknownViewModel),
        known.isEmpty
          ? "there is no view model \"\(id)\", as no plugin is loaded yet."
          : "there is no view model \"\(id)\"." + NearestName.hintOrList(for: id, among: known))
    }
    return found
  }

  package func isOpen(_ handle: String) -> Bool { byHandle[handle] != nil }

  /// The living instance with that handle; nil if there is none.
  package func openInstance(_ handle: String) -> SessionInstance? { byHandle[handle] }

  /// The living instance with that handle.
  ///
  /// - Throws: `mistake`, if there is none.
  package func instance(_ handle: String) throws(SessionError) -> SessionInstance {
    if let found = byHandle[handle] { return found }
    guard lastRequestIDs[handle] == nil else { throw closed(handle) }
    throw SessionError(
      .mistake(.unknownInstance),
      "there is no instance \"\(handle)\"."
        + NearestName.hint(for: handle, among: instances.map(\.handle)))
  }

  /// The error for an instance that was open and has been closed.
  func closed(_ handle: String) -> SessionError {
    SessionError(
      .mistake(.closed), "there is no instance \"\(handle)\" any more: it has been closed.",
      isRace: true)
  }
}

import CanonicalJSON

extension FlowRules {
  /// Reads a flow file for a session with these plugins.
  ///
  /// - Throws: if the file can't be read, isn't a flow, or doesn't fit the manifests.
  package init(contentsOf path: String, _ manifests: [PluginManifest]) throws(FlowError) {
    try self.init(FlowDocument(contentsOf: path), manifests)
  }

  /// Looks up all names of a flow in advance, so that mistakes are found before the session starts.
  ///
  /// - Throws: if a name, a template or a type doesn't fit the manifests.
  package init(_ document: FlowDocument, _ manifests: [PluginManifest]) throws(FlowError) {
    do throws(ScriptError) {
      self.init(
        path: document.path, starts: document.starts.map(Opening.init),
        openings: document.openings.map(Opening.init),
        actions: try FlowResolver(document, manifests).actions())
    } catch {
      throw FlowError(error, in: document.source, path: document.path, isMisfit: true)
    }
  }

  /// The names of the secrets in a flow file. There are none if the file can't be read: loading the
  /// flow reports that.
  package static func secrets(inFile path: String) -> Set<String> {
    guard let bytes = try? FlowDocument.read(path),
      let value = try? JSONValue(parsing: bytes.span)
    else { return [] }
    return Secrets.names(in: value)
  }
}

extension FlowRules.Opening {
  init(_ opening: FlowDocument.Opening) {
    let isDefault = opening.handle == ViewModelManifest.defaultHandle(of: opening.viewModel)
    self.init(
      viewModel: opening.viewModel, handle: opening.handle,
      givenHandle: isDefault ? nil : opening.handle, config: opening.config?.value)
  }
}

package import CanonicalJSON

/// Which signal opens, closes or feeds which instance: what a flow file says, looked up in the
/// manifests of a session.
package struct Flow: Sendable {
  /// An instance that the flow opens.
  package struct Opening: Sendable {
    package let viewModel: String
    package let handle: String
    /// The handle, if it isn't the one that the view model has by itself.
    package let givenHandle: String?
    /// A template: `"$value"` in it is the signal's value.
    package let config: JSONValue?

    init(_ opening: FlowDocument.Opening) {
      viewModel = opening.viewModel
      handle = opening.handle
      let isDefault = handle == ViewModelManifest.defaultHandle(of: viewModel)
      givenHandle = isDefault ? nil : handle
      config = opening.config?.value
    }
  }

  /// What an input is fed.
  enum Payload: Sendable {
    case nothing, value
    case template(JSONValue)
  }

  enum Act: Sendable {
    case open(Opening, unlessOpen: Bool)
    case close(handle: String)
    case feed(handle: String, port: Int, Payload)
  }

  struct Action: Sendable {
    let act: Act
    /// Where it stands, as in `movies.json:12:5`.
    let place: String
  }

  /// So much a flow may do in one step before it counts as endless.
  static let mostActions = 1000
  /// So many bytes of configs and values it may give in one step.
  static let mostBytes = 256 << 20

  package let path: String
  /// The instances that are there first, at least one.
  package let starts: [Opening]
  /// The start and all that signals open, in the order of the file.
  package let openings: [Opening]
  /// What signals lead to, by the handle and the number of the output.
  let actions: [String: [Int32: [Action]]]

  /// The view model of the instances that the flow calls so; nil for a name that it doesn't know.
  func viewModel(of handle: String) -> String? {
    openings.first { $0.handle == handle }?.viewModel
  }

  /// Reads a flow file for a session with these plugins.
  package init(contentsOf path: String, _ manifests: [PluginManifest]) throws(FlowError) {
    try self.init(FlowDocument(contentsOf: path), manifests)
  }

  /// Looks all names of a flow up, so that a mistake shows before anything happens.
  package init(_ document: FlowDocument, _ manifests: [PluginManifest]) throws(FlowError) {
    do throws(ScriptError) {
      actions = try FlowLookup(document, manifests).actions()
    } catch {
      throw FlowError(error, in: document.source, path: document.path)
    }
    path = document.path
    starts = document.starts.map(Opening.init)
    openings = document.openings.map(Opening.init)
  }

  /// The secrets that a flow file names; none for one that can't be read, which shows where it is
  /// used.
  package static func secrets(inFile path: String) -> Set<String> {
    guard let bytes = try? FlowDocument.read(path),
      let value = try? JSONValue(parsing: bytes.span)
    else { return [] }
    return Secrets.names(in: value)
  }
}

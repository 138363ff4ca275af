public import CanonicalJSON

/// A plugin of a session.
public struct LoadedPlugin: Sendable, Equatable {
  /// The name or path that the app gave.
  public let name: String
  /// The plugin's id in its manifest.
  public let id: String
  /// The plugin's version in its manifest.
  public let version: String
  /// The ids of its view models.
  public let viewModels: [String]
  /// The plugin's manifest: its view models, their ports, and the schemas of their values.
  public let manifest: JSONValue
  /// The SHA-256 of the library that runs, in hexadecimal; nil for a plugin in the app's process,
  /// where the file may have changed since.
  public let digest: String?
  /// The layers of confinement that this machine lacks or forbids, by the names that
  /// `vmhost doctor` uses. The plugin runs without them. In the app's process there are none.
  public let missingLayers: [String]

  init(_ name: String, _ connection: any PluginConnection) {
    let manifest = connection.manifest
    self.name = name
    id = manifest.id
    version = manifest.version
    viewModels = manifest.viewModels.map(\.id)
    self.manifest = manifest.json
    digest = connection.digest
    missingLayers = connection.missingLayers
  }
}

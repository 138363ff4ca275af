public import CanonicalJSON

/// A plugin of a session.
public struct LoadedPlugin: Sendable, Equatable {
  /// As the app named it.
  public let name: String
  public let id: String
  public let version: String
  /// The ids of its view models.
  public let viewModels: [String]
  /// Its whole description of itself: view models, their ports, the schemas of their values.
  public let manifest: JSONValue
  /// The SHA-256 of the library that runs, in hexadecimal; nil in process, where the file may have
  /// changed since.
  public let digest: String?

  init(_ name: String, _ connection: any PluginConnection) {
    let manifest = connection.manifest
    self.name = name
    id = manifest.id
    version = manifest.version
    viewModels = manifest.viewModels.map(\.id)
    self.manifest = manifest.json
    digest = connection.digest
  }
}

import CanonicalJSON

/// The storage of a plugin for one test, which several instances may share, and may fail on demand.
final class StorageDouble {
  var values: [String: JSONValue] = [:]
  /// The effects that fail now, such as `storage.get`.
  var failing: Set<String> = []

  init(_ values: [String: JSONValue] = [:]) {
    self.values = values
  }

  /// Returns the reply's JSON, or nil for the failure that was asked for.
  func answer(_ effect: String, _ request: JSONValue) throws -> String? {
    let key = request["key"]?.stringValue ?? ""
    if failing.contains(effect) { return nil }
    switch effect {
    case "storage.get":
      return (values[key] ?? .null).description
    case "storage.set":
      values[key] = request["value"]
      return ""
    default:
      throw DriverError("The plugin asked for \(effect), which it has no use for.")
    }
  }
}

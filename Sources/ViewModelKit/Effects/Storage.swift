/// The plugin's own lasting key-value store: `let storage = Storage()`.
///
/// Its calls throw `EffectError` with `storageFailed`, `storageFull`, or `invalidReply` for a
/// stored value that is not of the wanted type.
public final class Storage: EffectPart {
  private static let get = "storage.get"
  private static let set = "storage.set"
  private static let delete = "storage.delete"
  private static let list = "storage.list"

  public nonisolated override init() {}

  override var requests: [String] { [Storage.get, Storage.set, Storage.delete, Storage.list] }

  /// The value of that key, or nil if there is none.
  public func get<Value: Decodable>(
    _ key: String, as type: Value.Type = Value.self
  ) async throws -> Value? {
    try await call(Storage.get, KeyRequest(key: key), Value?.self)
  }

  public func set(_ key: String, _ value: some Encodable) async throws {
    _ = try await call(Storage.set, SetRequest(key: key, value: value), NoValue.self)
  }

  public func delete(_ key: String) async throws {
    _ = try await call(Storage.delete, KeyRequest(key: key), NoValue.self)
  }

  /// The keys that begin with `prefix`, in the host's order.
  public func list(prefix: String = "") async throws -> [String] {
    try await call(Storage.list, ListRequest(prefix: prefix), [String].self)
  }

  private func call<Request: Encodable, Reply: Decodable>(
    _ effect: String, _ request: Request, _ type: Reply.Type
  ) async throws -> Reply {
    let bytes = Array(effect.utf8)
    return try decodeReply(type, from: try await ask(bytes, request), bytes)
  }
}

private struct KeyRequest: Encodable { var key: String }
private struct ListRequest: Encodable { var prefix: String }

private struct SetRequest<Value: Encodable>: Encodable {
  var key: String
  var value: Value
}

/// The open requests that effect providers answer, found by either of their ids.
struct ProviderRequests {
  struct Request {
    let instance: SessionInstance
    let shownID: UInt64
    let effect: String

    fileprivate var key: Key { Key(instance: instance.number, shownID: shownID) }
  }

  /// The session's name for a request.
  fileprivate struct Key: Hashable {
    let instance: Int32
    let shownID: UInt64
  }

  /// The requests by the ids that providers know.
  private var requests: [UInt64: Request] = [:]
  private var ids: [Key: UInt64] = [:]
  private var lastID: UInt64 = 0

  var isEmpty: Bool { requests.isEmpty }

  /// Adds a request.
  ///
  /// - Returns: its id for the provider. Ids count from 1 and are used once.
  mutating func add(
    _ shownID: UInt64, of instance: SessionInstance, _ effect: String
  ) -> UInt64 {
    lastID += 1
    let request = Request(instance: instance, shownID: shownID, effect: effect)
    requests[lastID] = request
    ids[request.key] = lastID
    return lastID
  }

  /// Makes these the requests of another session, which has them under the same numbers.
  mutating func move(to session: SessionEngine) {
    ids = [:]
    requests = requests.compactMapValues { request in
      guard let instance = session.openInstance(request.instance.handle) else { return nil }
      return Request(instance: instance, shownID: request.shownID, effect: request.effect)
    }
    for (id, request) in requests { ids[request.key] = id }
  }

  func contains(_ shownID: UInt64, of instance: Int32) -> Bool {
    ids[Key(instance: instance, shownID: shownID)] != nil
  }

  /// Removes a request by the provider's id; nil if it isn't open.
  mutating func remove(_ id: UInt64) -> Request? {
    guard let request = requests.removeValue(forKey: id) else { return nil }
    ids[request.key] = nil
    return request
  }

  /// Removes a request by the session's id; nil if it isn't open.
  mutating func remove(_ shownID: UInt64, of instance: Int32) -> (id: UInt64, request: Request)? {
    guard let id = ids.removeValue(forKey: Key(instance: instance, shownID: shownID)),
      let request = requests.removeValue(forKey: id)
    else { return nil }
    return (id, request)
  }
}

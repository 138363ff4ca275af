import HostCore

/// Which requests a plugin has open by its own ids, seen from its side.
struct RequestBook {
  private struct Key: Hashable {
    let instance: Int32
    let id: UInt64
  }

  private var open: Set<Key> = []
  /// Whether it asked by an id that was open: the session must not take that.
  private(set) var hasRepeated = false

  mutating func emit(_ emissions: borrowing EventBatch) {
    for record in emissions.records {
      let key = Key(instance: record.instance, id: record.id)
      if record.isOf(.request) {
        if !open.insert(key).inserted { hasRepeated = true }
      } else if record.isOf(.cancel) {
        open.remove(key)
      }
    }
  }

  mutating func deliver(_ events: borrowing EventBatch) {
    for record in events.records where !record.isOf(.input) {
      open.remove(Key(instance: record.instance, id: record.id))
    }
  }
}

/// Which requests the session has shown and nobody has answered, seen from outside.
struct ShownRequests {
  struct Request: Equatable {
    let handle: String
    let id: UInt64
  }

  private(set) var open: [Request] = []

  /// Takes the events that the session has shown.
  mutating func take(_ session: SessionEngine) throws(FuzzFinding) {
    for record in session.events.records where record.kind != .print {
      let request = Request(handle: session.handle(of: record), id: record.id)
      if record.kind == .request {
        try require(!open.contains(request), "each request has a number of its own")
        open.append(request)
      } else if record.kind == .cancel {
        guard let index = open.firstIndex(of: request) else {
          throw FuzzFinding("does not hold: only open requests are cancelled")
        }
        open.remove(at: index)
      }
    }
  }

  mutating func remove(_ index: Int) -> Request { open.remove(at: index) }

  /// Puts one back whose answer was refused: it waits for another answer.
  mutating func restore(_ request: Request, at index: Int) {
    open.insert(request, at: min(index, open.count))
  }

  /// Whether these are the requests that the session has open.
  func matches(_ session: SessionEngine) -> Bool {
    let waiting = session.openRequests.map { Request(handle: $0.handle, id: $0.id) }
    return waiting.count == open.count && waiting.allSatisfy(open.contains)
  }
}

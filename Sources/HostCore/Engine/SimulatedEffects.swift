import Basics
import CanonicalJSON

/// The effects that the engine answers itself: `timer` and `storage.*`.
struct SimulatedEffects {
  struct StorageRequest {
    let effect: SimulatedEffect
    let value: JSONValue
    let order: UInt64
    let id: UInt64
    let instance: Int32
  }

  var storage: any StorageBackend
  var timers = TimerQueue()
  /// The names of effects that are answered from outside instead.
  var recorded: Set<String>
  private var waiting: [StorageRequest] = []
  private var nextWaiting = 0
  private var lastOrder: UInt64 = 0
  private var timersAtLastPurge = 0

  init(storage: any StorageBackend, recorded: Set<String>) {
    self.storage = storage
    self.recorded = recorded
  }

  /// The effect of that name, if the engine answers it itself.
  func simulated(_ effect: String) -> SimulatedEffect? {
    recorded.contains(effect) ? nil : SimulatedEffect(rawValue: effect)
  }

  mutating func nextOrder() -> UInt64 {
    lastOrder += 1
    return lastOrder
  }

  /// Queues a request.
  ///
  /// - Returns: what is wrong with the request, or nil if it was queued.
  mutating func accept(
    _ effect: SimulatedEffect, _ value: JSONValue, order: UInt64, id: UInt64, instance: Int32,
    now: Nanoseconds
  ) -> String? {
    guard effect == .timer else {
      let request = StorageRequest(
        effect: effect, value: value, order: order, id: id, instance: instance)
      if let problem = Self.problem(with: request) { return problem }
      waiting.append(request)
      return nil
    }
    guard let text = value["after"]?.stringValue else { return "expected {\"after\":\"300ms\"}" }
    guard let span = TimeSpan.parse(text) else {
      return "\"after\" \(TimeSpan.problem(with: text))"
    }
    let (deadline, overflow) = now.addingReportingOverflow(span)
    timers.insert(
      deadline: overflow ? .max : deadline, order: order, instance: instance, id: id)
    return nil
  }

  private static func problem(with request: StorageRequest) -> String? {
    let member = request.effect == .storageList ? "prefix" : "key"
    guard request.value[member]?.stringValue != nil else {
      return "expected text under \"\(member)\""
    }
    if request.effect == .storageSet && request.value["value"] == nil {
      return "expected the value under \"value\""
    }
    return nil
  }

  /// Removes the oldest waiting storage request and returns it, or nil if none waits.
  mutating func nextStorageRequest() -> StorageRequest? {
    guard nextWaiting < waiting.count else {
      if nextWaiting > 0 {
        waiting.removeAll()
        nextWaiting = 0
      }
      return nil
    }
    nextWaiting += 1
    return waiting[nextWaiting - 1]
  }

  /// Performs a storage request, in the space of the plugin `space`.
  ///
  /// - Returns: the value of the reply.
  func perform(_ request: StorageRequest, in space: String) throws(StorageError) -> [UInt8] {
    let key = request.value["key"]?.stringValue ?? ""
    switch request.effect {
    case .storageGet: return try storage.value(of: key, in: space) ?? Array("null".utf8)
    case .storageSet:
      var bytes: [UInt8] = []
      request.value["value"]?.append(to: &bytes)
      try storage.set(key, to: bytes, in: space)
      return []
    case .storageDelete:
      try storage.delete(key, in: space)
      return []
    case .storageList:
      let prefix = request.value["prefix"]?.stringValue ?? ""
      let keys = try storage.keys(withPrefix: prefix, in: space)
      var bytes: [UInt8] = []
      JSONValue.array(keys.map(JSONValue.string)).append(to: &bytes)
      return bytes
    case .timer: preconditionFailure("a timer waits among the timers")
    }
  }

  func errorValue(_ code: String, _ message: String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONValue.object(["code": .string(code), "message": .string(message)]).append(to: &bytes)
    return bytes
  }

  /// Drops cancelled timers: the ones that are due next, and all of them once they pile up.
  mutating func dropDeadTimers(isOpen: (TimerQueue.Timer) -> Bool) {
    while let first = timers.first, !isOpen(first) { timers.removeFirst() }
    guard timers.count > 2 * timersAtLastPurge + 64 else { return }
    timers.removeAll { !isOpen($0) }
    timersAtLastPurge = timers.count
  }
}

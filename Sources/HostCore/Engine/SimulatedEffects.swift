import Basics
import CanonicalJSON

/// The effects that the engine answers itself: `timer` and `storage.*`.
struct SimulatedEffects {
  struct StorageRequest {
    let effect: SimulatedEffect
    /// The key, or the prefix of a list.
    let key: String
    /// The value to store, as canonical JSON.
    let value: [UInt8]
    let order: UInt64
    let id: UInt64
    let instance: Int32
  }

  var storage: any StorageBackend
  var timers = TimerQueue()
  /// The names of effects that are answered from outside instead.
  var recorded: Set<String>
  /// The storage requests in the order of asking. Those that were taken are nil, until all are.
  private var waiting: [StorageRequest?] = []
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
  /// - Parameter value: canonical JSON.
  /// - Returns: what is wrong with the request, or nil if it was queued.
  mutating func accept(
    _ effect: SimulatedEffect, _ value: [UInt8], order: UInt64, id: UInt64, instance: Int32,
    now: Nanoseconds
  ) -> String? {
    guard effect == .timer else {
      let member = effect == .storageList ? "prefix" : "key"
      guard let key = Self.text(member, of: value) else {
        return "expected text under \"\(member)\""
      }
      var stored: [UInt8] = []
      if effect == .storageSet {
        guard let range = Self.member("value", of: value) else {
          return "expected the value under \"value\""
        }
        stored.append(value.span.extracting(range))
      }
      waiting.append(
        StorageRequest(
          effect: effect, key: key, value: stored, order: order, id: id, instance: instance))
      return nil
    }
    guard let text = Self.text("after", of: value) else { return "expected {\"after\":\"300ms\"}" }
    guard let span = TimeSpan.parse(text) else {
      return "\"after\" \(TimeSpan.problem(with: text))"
    }
    let (deadline, overflow) = now.addingReportingOverflow(span)
    timers.insert(
      deadline: overflow ? .max : deadline, order: order, instance: instance, id: id)
    return nil
  }

  /// The range of a member's value in canonical JSON; nil if that is no object or has none.
  ///
  /// It reads the bytes as they are: a tree of them could be many times as large.
  private static func member(_ name: String, of json: [UInt8]) -> Range<Int>? {
    guard json.first == UInt8(ascii: "{") else { return nil }
    let wanted = Array(name.utf8)
    var offset = 0
    while let member = try? JSONScanner.nextMember(in: json.span, at: &offset) {
      if json.span.extracting(member.key.content).equals(wanted.span) { return member.value }
    }
    return nil
  }

  private static func text(_ name: String, of json: [UInt8]) -> String? {
    guard let range = member(name, of: json), json[range.lowerBound] == UInt8(ascii: "\"") else {
      return nil
    }
    let content = json.span.extracting(range.lowerBound + 1..<range.upperBound - 1)
    return try? CanonicalJSON.unescape(content)
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
    defer { nextWaiting += 1 }
    return waiting[nextWaiting].take()
  }

  /// Performs a storage request, in the space of the plugin `space`.
  ///
  /// - Parameter quota: how many bytes the plugin may keep.
  /// - Returns: the value of the reply.
  func perform(
    _ request: StorageRequest, in space: String, quota: Int
  ) throws(StorageError) -> [UInt8] {
    switch request.effect {
    case .storageGet: return try storage.value(of: request.key, in: space) ?? Array("null".utf8)
    case .storageSet:
      try storage.set(request.key, to: request.value, in: space, quota: quota)
      return []
    case .storageDelete:
      try storage.delete(request.key, in: space)
      return []
    case .storageList:
      var bytes: [UInt8] = [UInt8(ascii: "[")]
      for key in try storage.keys(withPrefix: request.key, in: space) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        CanonicalJSON.appendString(key, to: &bytes)
      }
      return bytes + [UInt8(ascii: "]")]
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

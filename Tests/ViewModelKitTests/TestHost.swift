import PluginABI
import Testing
import ViewModelKit

/// All tests of the kit: one at a time, as the ABI forbids overlapping calls into one library.
@Suite(.serialized) struct KitTests {}

/// A refusal by the plugin.
struct Refused: Error, Equatable {
  var status: Int
  var message: String
}

/// Drives a plugin through its C table, as a host does.
@safe final class TestHost {
  private let table: UnsafePointer<vm_plugin>

  init(_ types: Plugin) { unsafe table = types.entry }

  convenience init<each Model: ViewModel>(_ models: repeat (each Model).Type) {
    self.init(Plugin(id: "test", version: "1.0.0", repeat each models))
  }

  var manifest: String { unsafe text(table.pointee.manifest()) }

  func create(
    _ id: String, config: String = "", seed: UInt64 = 0, epoch: Int64 = 0, time: Int64 = 0
  ) throws -> TestInstance {
    var instance: OpaquePointer?
    var error = unsafe vm_bytes(data: nil, size: 0)
    let status = unsafe withBytes([id, config, "en_US", "UTC"]) { bytes in
      var info = unsafe vm_create_info(
        size: UInt32(MemoryLayout<vm_create_info>.size), reserved: 0, view_model: bytes[0],
        config: bytes[1], locale: bytes[2], time_zone: bytes[3], seed: seed, epoch_ns: epoch,
        time_ns: time)
      return unsafe table.pointee.create(&info, &instance, &error)
    }
    guard status == VM_OK else { throw unsafe Refused(status: Int(status), message: text(error)) }
    return try unsafe TestInstance(table: table, pointer: #require(unsafe instance))
  }

  /// Makes one and takes its first events, which the caller doesn't care for.
  func open(_ id: String, config: String = "", seed: UInt64 = 0) throws -> TestInstance {
    let instance = try create(id, config: config, seed: seed)
    _ = instance.poll()
    return instance
  }
}

/// One instance, driven through the C table. Events are told as lines: `< port json`,
/// `? id effect json`, `x id effect`, `log level json`, `fault name json`.
@safe final class TestInstance {
  private let table: UnsafePointer<vm_plugin>
  private var pointer: OpaquePointer?
  private(set) var lastStatus = Int(VM_OK)

  init(table: UnsafePointer<vm_plugin>, pointer: OpaquePointer) {
    unsafe self.table = table
    unsafe self.pointer = pointer
  }

  deinit { destroy() }

  func destroy() {
    guard let pointer = unsafe pointer else { return }
    unsafe self.pointer = nil
    unsafe table.pointee.destroy(pointer)
  }

  func send(
    kind: Int, id: UInt64 = 0, _ name: String, _ json: String = "", time: Int64 = 0
  ) throws {
    var error = unsafe vm_bytes(data: nil, size: 0)
    let status = unsafe withBytes([name, json]) { bytes in
      var event = unsafe vm_event(
        size: UInt32(MemoryLayout<vm_event>.size), kind: UInt32(kind), id: id, time_ns: time,
        name: bytes[0], json: bytes[1])
      return unsafe table.pointee.send(pointer, &event, &error)
    }
    guard status == VM_OK else { throw unsafe Refused(status: Int(status), message: text(error)) }
  }

  /// Takes one event; nil when idle, whose status is then in `lastStatus`. What `meanwhile` does
  /// happens before the event's bytes are read.
  func next(meanwhile: () -> Void = {}) -> String? {
    var event = unsafe vm_event()
    unsafe event.size = UInt32(MemoryLayout<vm_event>.size)
    lastStatus = unsafe Int(table.pointee.poll(pointer, &event))
    guard lastStatus == VM_OK else { return nil }
    meanwhile()
    let name = unsafe text(event.name)
    let json = unsafe text(event.json)
    let value = json.isEmpty ? "" : " \(json)"
    switch unsafe Int(event.kind) {
    case VM_OUTPUT: return "< \(name)\(value)"
    case VM_REQUEST: return unsafe "? \(event.id) \(name)\(value)"
    case VM_CANCEL: return unsafe "x \(event.id) \(name)\(value)"
    case VM_LOG: return "log \(name)\(value)"
    case VM_FAULT: return "fault \(name)\(value)"
    default: return unsafe "? unknown kind \(event.kind)"
    }
  }

  /// Polls until idle.
  func poll() -> [String] {
    var lines: [String] = []
    while let line = next() { lines.append(line) }
    return lines
  }

  func input(_ name: String, _ json: String = "", time: Int64 = 0) throws -> [String] {
    try send(kind: Int(VM_INPUT), name, json, time: time)
    return poll()
  }

  func reply(_ id: UInt64, _ effect: String, _ json: String = "", time: Int64 = 0) throws
    -> [String]
  {
    try send(kind: Int(VM_REPLY), id: id, effect, json, time: time)
    return poll()
  }

  func fail(_ id: UInt64, _ effect: String, code: String) throws -> [String] {
    try send(
      kind: Int(VM_ERROR), id: id, effect, "{\"code\":\"\(code)\",\"message\":\"no luck\"}")
    return poll()
  }
}

private func text(_ bytes: vm_bytes) -> String {
  unsafe String(
    decoding: UnsafeBufferPointer(start: bytes.data, count: bytes.size), as: UTF8.self)
}

/// Lends the texts as `vm_bytes`, in memory that is spoilt afterwards, so that a plugin that keeps
/// a pointer is found out.
private func withBytes<Result>(
  _ texts: [String], _ body: ([vm_bytes]) -> Result
) -> Result {
  let all = texts.joined().utf8
  let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: all.count)
  _ = unsafe memory.initialize(from: all)
  defer {
    unsafe memory.update(repeating: 0xFE)
    unsafe memory.deallocate()
  }
  var offset = 0
  let bytes = unsafe texts.map { text in
    let start = unsafe memory.baseAddress.map { unsafe UnsafePointer($0) + offset }
    offset += text.utf8.count
    return unsafe vm_bytes(data: start, size: text.utf8.count)
  }
  return unsafe body(bytes)
}

/// The refusal that `body` throws.
func refusal(_ body: () throws -> Void) throws -> Refused {
  try #require(throws: Refused.self, performing: body)
}

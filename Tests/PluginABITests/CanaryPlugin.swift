import CanaryC
import CanaryCXX
import PluginABI
import Testing

/// A canary's table as a host sees it, with bytes as text.
@safe struct CanaryPlugin: CustomTestStringConvertible {
  let testDescription: String
  private let table: vm_plugin

  static var c: CanaryPlugin? {
    unsafe canary_c_entry().map { unsafe CanaryPlugin(testDescription: "C11", table: $0.pointee) }
  }

  static var cxx: CanaryPlugin? {
    unsafe canary_cxx_entry().map {
      unsafe CanaryPlugin(testDescription: "C++17", table: $0.pointee)
    }
  }

  var magic: UInt32 { table.magic }
  var size: Int { Int(table.size) }
  var version: [UInt16] { [table.abi_major, table.abi_minor] }
  var flags: UInt32 { table.flags }
  var manifest: String { unsafe Self.text(table.manifest()) }

  func hasExtension(_ id: String) -> Bool {
    unsafe Self.withBytes(id) { unsafe table.extension($0) != nil }
  }

  /// Makes an instance; nil and the words if the plugin refuses.
  func create(
    viewModel: String, locale: String, seed: UInt64, epoch: Int64, time: Int64
  ) -> (instance: CanaryInstance?, status: Int, words: String) {
    let nothing = unsafe vm_bytes(data: nil, size: 0)
    var made: OpaquePointer?
    var words = unsafe nothing
    let status = unsafe Self.withBytes(viewModel) { viewModel in
      unsafe Self.withBytes(locale) { locale in
        var info = unsafe vm_create_info(
          size: UInt32(MemoryLayout<vm_create_info>.size), reserved: 0, view_model: viewModel,
          config: nothing, locale: locale, time_zone: nothing, seed: seed, epoch_ns: epoch,
          time_ns: time)
        return unsafe Int(table.create(&info, &made, &words))
      }
    }
    let instance = unsafe made.map { unsafe CanaryInstance(table: table, pointer: $0) }
    return unsafe (instance, status, Self.text(words))
  }

  static func text(_ bytes: vm_bytes) -> String {
    unsafe String(
      decoding: UnsafeBufferPointer(start: bytes.data, count: bytes.size), as: UTF8.self)
  }

  static func withBytes<Result>(_ text: String, _ body: (vm_bytes) -> Result) -> Result {
    unsafe Array(text.utf8).withUnsafeBufferPointer {
      unsafe body(vm_bytes(data: $0.baseAddress, size: $0.count))
    }
  }
}

/// A living instance of a canary; it ends with its last reference.
@safe final class CanaryInstance {
  private let table: vm_plugin
  private let pointer: OpaquePointer

  init(table: vm_plugin, pointer: OpaquePointer) {
    self.table = table
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe table.destroy(pointer) }

  func send(_ kind: Int, id: UInt64 = 0, name: String, json: String) -> Int {
    unsafe CanaryPlugin.withBytes(name) { name in
      unsafe CanaryPlugin.withBytes(json) { json in
        var event = unsafe vm_event(
          size: UInt32(MemoryLayout<vm_event>.size), kind: UInt32(kind), id: id, time_ns: 0,
          name: name, json: json)
        var words = unsafe vm_bytes(data: nil, size: 0)
        return unsafe Int(table.send(pointer, &event, &words))
      }
    }
  }

  struct Event: Equatable {
    let kind: Int
    let id: UInt64
    let name: String
    let json: String
  }

  /// The next event, or nil when it is idle.
  func poll() -> Event? {
    var event = unsafe vm_event()
    unsafe event.size = UInt32(MemoryLayout<vm_event>.size)
    guard unsafe table.poll(pointer, &event) == VM_OK else { return nil }
    return unsafe Event(
      kind: Int(event.kind), id: event.id, name: CanaryPlugin.text(event.name),
      json: CanaryPlugin.text(event.json))
  }
}

import PluginABI
import Testing

/// What plugins that are built already rely on. A failure here means a new major version.
struct LayoutTests {
  private func check<Root>(
    _ fields: [(path: PartialKeyPath<Root>, offset: Int)], size: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(MemoryLayout<Root>.size == size, sourceLocation: sourceLocation)
    #expect(MemoryLayout<Root>.stride == size, sourceLocation: sourceLocation)
    for field in fields {
      let found = MemoryLayout<Root>.offset(of: field.path)
      #expect(found == field.offset, "\(field.path)", sourceLocation: sourceLocation)
    }
  }

  @Test func `keeps the size of numbers`() {
    #expect(MemoryLayout<vm_status>.size == 4)
    #expect(MemoryLayout<vm_event_kind>.size == 4)
  }

  @Test func `keeps the place of each field of vm_bytes`() {
    unsafe check(
      [
        (\vm_bytes.data, 0),
        (\vm_bytes.size, 8),
      ], size: 16)
  }

  @Test func `keeps the place of each field of vm_event`() {
    unsafe check(
      [
        (\vm_event.size, 0),
        (\vm_event.kind, 4),
        (\vm_event.id, 8),
        (\vm_event.time_ns, 16),
        (\vm_event.name, 24),
        (\vm_event.json, 40),
      ], size: 56)
  }

  @Test func `keeps the place of each field of vm_create_info`() {
    unsafe check(
      [
        (\vm_create_info.size, 0),
        (\vm_create_info.reserved, 4),
        (\vm_create_info.view_model, 8),
        (\vm_create_info.config, 24),
        (\vm_create_info.locale, 40),
        (\vm_create_info.time_zone, 56),
        (\vm_create_info.seed, 72),
        (\vm_create_info.epoch_ns, 80),
        (\vm_create_info.time_ns, 88),
      ], size: 96)
  }

  @Test func `keeps the place of each field of vm_plugin`() {
    unsafe check(
      [
        (\vm_plugin.magic, 0),
        (\vm_plugin.size, 4),
        (\vm_plugin.abi_major, 8),
        (\vm_plugin.abi_minor, 10),
        (\vm_plugin.flags, 12),
        (\vm_plugin.manifest, 16),
        (\vm_plugin.create, 24),
        (\vm_plugin.send, 32),
        (\vm_plugin.poll, 40),
        (\vm_plugin.destroy, 48),
        (\vm_plugin.extension, 56),
      ], size: 64)
  }

  @Test func `keeps the place of each field of vm_process`() {
    check(
      [
        (\vm_process.size, 0),
        (\vm_process.reserved, 4),
        (\vm_process.take, 8),
      ], size: 16)
    #expect(VM_PROCESS_EXTENSION == "process")
  }

  private static let numbers: [(found: Int, expected: Int)] = [
    (VM_OK, 0), (VM_IDLE, 1), (VM_IDLE_OTHERS, 2), (VM_E_VIEW_MODEL, -1), (VM_E_CONFIG, -2),
    (VM_E_KIND, -3), (VM_E_NAME, -4), (VM_E_VALUE, -5), (VM_E_ID, -6), (VM_E_FAILED, -7),
    (VM_INPUT, 1), (VM_REPLY, 2), (VM_ERROR, 3), (VM_OUTPUT, 16), (VM_REQUEST, 17),
    (VM_CANCEL, 18), (VM_LOG, 19), (VM_FAULT, 20),
  ]

  @Test func `keeps each status and kind`() {
    #expect(Self.numbers.map(\.found) == Self.numbers.map(\.expected))
  }

  @Test func `begins with VMP1 in memory`() {
    let magic = VM_PLUGIN_MAGIC
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: magic >> (8 * $0)) }
    #expect(bytes == Array("VMP1".utf8))
    #expect(VM_ABI_MAJOR == 1)
    #expect(VM_ABI_MINOR == 0)
  }
}

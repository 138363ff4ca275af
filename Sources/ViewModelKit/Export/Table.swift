import Basics
import CanonicalJSON
public import PluginABI

/// What a plugin's entry function returns: the table of the C ABI.
public typealias PluginEntry = UnsafePointer<vm_plugin>

extension Plugin {
  /// The table of functions through which the host drives this plugin.
  @safe public nonisolated var entry: PluginEntry {
    unsafe ViewModelActor.shared.executor.enter(self) { plugin in
      Table.plugin = plugin
      return unsafe Table.pointer
    }
  }
}

/// The C functions. They turn pointers into spans and objects, and leave the rest to `Instance`.
@ViewModelActor enum Table {
  /// The plugin whose table was requested.
  fileprivate static var plugin: Plugin?

  /// Lives as long as the process, as the ABI requires.
  static let pointer: PluginEntry = {
    let table = UnsafeMutablePointer<vm_plugin>.allocate(capacity: 1)
    unsafe table.initialize(
      to: vm_plugin(
        magic: 0x3150_4D56, size: UInt32(MemoryLayout<vm_plugin>.size),
        abi_major: UInt16(VM_ABI_MAJOR), abi_minor: UInt16(VM_ABI_MINOR), flags: 0,
        manifest: { unsafe entering(()) { _ in unsafe Table.manifest() } },
        create: { info, instance, error in
          unsafe entering((info, instance, error)) {
            unsafe Table.create($0.0, $0.1, $0.2)
          }
        },
        send: { instance, event, error in
          unsafe entering((instance, event, error)) { unsafe Table.send($0.0, $0.1, $0.2) }
        },
        poll: { instance, out in
          unsafe entering((instance, out)) { unsafe Table.poll($0.0, $0.1) }
        },
        destroy: { instance in unsafe entering(instance) { unsafe Table.destroy($0) } },
        extension: { id in
          unsafe entering(id) { id in
            switch unsafe Table.text(id) {
            case VM_PROCESS_EXTENSION: unsafe UnsafeRawPointer(Table.process)
            case VM_LEAKS_EXTENSION: unsafe UnsafeRawPointer(Table.leaks)
            default: nil
            }
          }
        }))
    return unsafe PluginEntry(table)
  }()

  /// The extension for hosts that give the library a process of its own.
  private static let process: UnsafePointer<vm_process> = {
    let process = UnsafeMutablePointer<vm_process>.allocate(capacity: 1)
    unsafe process.initialize(
      to: vm_process(
        size: UInt32(MemoryLayout<vm_process>.size), reserved: 0,
        take: { KitExecutor.takeProcess() }))
    return unsafe UnsafePointer(process)
  }()

  /// The extension for hosts that ask which view models live on.
  private static let leaks: UnsafePointer<vm_leaks> = {
    let leaks = UnsafeMutablePointer<vm_leaks>.allocate(capacity: 1)
    unsafe leaks.initialize(
      to: vm_leaks(
        size: UInt32(MemoryLayout<vm_leaks>.size), reserved: 0,
        take: { unsafe entering(()) { _ in unsafe Table.takeLeaks() } }))
    return unsafe UnsafePointer(leaks)
  }()

  private static var latestLeaks = OwnedBytes([])

  private static func takeLeaks() -> vm_bytes {
    let living = EndedViewModels.takeLiving().mapValues { JSONValue(integerLiteral: $0) }
    latestLeaks = OwnedBytes(
      living.isEmpty ? [] : Array(JSONValue.object(living).canonicalText.utf8))
    return unsafe latestLeaks.view
  }

  /// The message of the latest refusal. Valid until the next one, which is longer than promised.
  private static var message = OwnedBytes([])

  /// A poll that runs this many jobs without an event counts as an endless loop.
  private static let jobsPerPoll = 100_000

  private static func manifest() -> vm_bytes {
    guard let plugin = plugin else { return unsafe vm_bytes(data: nil, size: 0) }
    return unsafe plugin.manifest.view
  }

  private static func create(
    _ info: UnsafePointer<vm_create_info>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ failure: UnsafeMutablePointer<vm_bytes>?
  ) -> vm_status {
    do throws(Refusal) {
      guard let info = unsafe info?.pointee, let out = unsafe out else {
        throw Refusal(.failed, "The host gave no create info.")
      }
      let id = unsafe text(info.view_model)
      guard let type = plugin?.types.first(where: { $0.id == id }) else {
        let known = plugin?.types.map { $0.id } ?? []
        throw Refusal(
          .viewModel,
          "The plugin \"\(plugin?.id ?? "")\" has no view model \"\(id)\"."
            + NearestName.hintOrList(for: id, among: known))
      }
      let environment = unsafe Environment(
        locale: text(info.locale), timeZone: text(info.time_zone), seed: info.seed,
        epoch: info.epoch_ns, now: info.time_ns)
      let instance = try unsafe type.makeInstance(environment, config: Array(buffer(info.config)))
      unsafe out.pointee = OpaquePointer(Unmanaged.passRetained(instance).toOpaque())
      return vm_status(VM_OK)
    } catch {
      return unsafe refuse(error, failure)
    }
  }

  private static func send(
    _ pointer: OpaquePointer?, _ event: UnsafePointer<vm_event>?,
    _ failure: UnsafeMutablePointer<vm_bytes>?
  ) -> vm_status {
    do throws(Refusal) {
      guard let pointer = unsafe pointer, let event = unsafe event?.pointee else {
        throw Refusal(.failed, "The host gave no instance or no event.")
      }
      guard let kind = unsafe IncomingKind(rawValue: event.kind) else {
        throw unsafe Refusal(.kind, "The plugin knows no events of kind \(event.kind).")
      }
      let name = unsafe buffer(event.name)
      let json = unsafe buffer(event.json)
      try unsafe instance(pointer).send(
        kind, id: event.id, time: event.time_ns, name: name.span, json: json.span)
      return vm_status(VM_OK)
    } catch {
      return unsafe refuse(error, failure)
    }
  }

  private static func poll(
    _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<vm_event>?
  ) -> vm_status {
    guard let pointer = unsafe pointer, let out = unsafe out else { return vm_status(VM_E_FAILED) }
    let instance = unsafe instance(pointer)
    guard !instance.isStuck else { return vm_status(VM_E_FAILED) }
    for _ in 0..<jobsPerPoll {
      if unsafe instance.outbox.next(out) { return vm_status(VM_OK) }
      instance.settle()
      if Image.current !== instance { Image.current = instance }
      guard KitExecutor.shared.runNext() else {
        return vm_status(Image.waiting > 0 ? VM_IDLE_OTHERS : VM_IDLE)
      }
    }
    // The status of the next poll ends the session, but doesn't say why.
    instance.isStuck = true
    instance.log(
      .error,
      "The plugin's tasks took \(jobsPerPoll) turns without an event, as in an endless loop.")
    return vm_status(unsafe instance.outbox.next(out) ? VM_OK : VM_E_FAILED)
  }

  private static func destroy(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return }
    unsafe instance(pointer).destroy()
    unsafe Unmanaged<Instance>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }

  // MARK: Pointers

  private static func instance(_ pointer: OpaquePointer) -> Instance {
    unsafe Unmanaged<Instance>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  private static func refuse(
    _ refusal: Refusal, _ error: UnsafeMutablePointer<vm_bytes>?
  ) -> vm_status {
    message = OwnedBytes(Array(refusal.message.utf8))
    if let error = unsafe error { unsafe error.pointee = message.view }
    return refusal.status.rawValue
  }

  /// Bytes that the host owns. They are valid until the current call returns.
  private static func buffer(_ bytes: vm_bytes) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: bytes.data, count: bytes.size)
  }

  private static func text(_ bytes: vm_bytes) -> String {
    unsafe String(decoding: buffer(bytes), as: UTF8.self)
  }
}

/// Runs the body of a C function as the actor.
private func entering<Arguments, Result>(
  _ arguments: Arguments, _ body: @escaping @ViewModelActor (Arguments) -> Result
) -> Result {
  KitExecutor.shared.enter(arguments, body)
}

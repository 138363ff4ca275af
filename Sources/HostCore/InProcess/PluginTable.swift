import Glibc
import PluginABI

/// A plugin's functions, checked and ready to call.
///
/// The library behind it is never unloaded: unloading Swift code crashes (threads, type caches).
@safe struct PluginTable {
  static let magic = VM_PLUGIN_MAGIC
  static let major = UInt16(VM_ABI_MAJOR)

  /// The size of the table up to and including `destroy`. The rest is optional.
  private static let required = 56

  let manifest: @convention(c) () -> vm_bytes
  let create:
    @convention(c) (
      UnsafePointer<vm_create_info>?, UnsafeMutablePointer<OpaquePointer?>?,
      UnsafeMutablePointer<vm_bytes>?
    ) -> vm_status
  let send:
    @convention(c) (
      OpaquePointer?, UnsafePointer<vm_event>?, UnsafeMutablePointer<vm_bytes>?
    ) -> vm_status
  let poll: @convention(c) (OpaquePointer?, UnsafeMutablePointer<vm_event>?) -> vm_status
  let destroy: @convention(c) (OpaquePointer?) -> Void
  let minor: UInt16
  /// Optional, like everything after `destroy`.
  private let findExtension: (@convention(c) (vm_bytes) -> UnsafeRawPointer?)?

  /// Loads a library and finds its table.
  ///
  /// - Parameters:
  ///   - path: an absolute path, so that the linker doesn't search system folders.
  ///   - name: the plugin as the user named it, for errors.
  ///   - runtime: the libraries of the Swift runtime that it needs.
  ///   - didLoad: called once the library is in memory, before its functions are called.
  init(
    loading path: String, named name: String, runtime: [String], didLoad: () -> Void
  ) throws(PluginLoadError) {
    try LibraryFile.check(path, named: name)
    RuntimeLibraries.load(runtime)
    guard let library = unsafe path.withPath({ unsafe dlopen($0, RTLD_NOW | RTLD_LOCAL) }) else {
      throw PluginLoadError(name, Self.reason(fromLinker: Self.linkerMessage(), path: path))
    }
    guard let symbol = unsafe dlsym(library, "vm_plugin_entry_v1") else {
      throw PluginLoadError(name, .noEntry)
    }
    didLoad()
    typealias Entry = @convention(c) () -> UnsafeRawPointer?
    let entry = unsafe unsafeBitCast(symbol, to: Entry.self)
    guard let table = unsafe entry() else { throw PluginLoadError(name, .noTable) }
    try unsafe self.init(checking: table, named: name)
  }

  /// Checks a table in memory, and reads nothing past the size that it states.
  init(checking table: UnsafeRawPointer, named name: String) throws(PluginLoadError) {
    let magic = unsafe table.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
    let size = unsafe table.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    let major = unsafe table.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    guard magic == Self.magic else { throw PluginLoadError(name, .wrongMagic(magic)) }
    guard major == Self.major else { throw PluginLoadError(name, .otherMajor(major)) }
    guard size >= Self.required else {
      throw PluginLoadError(name, .shortTable(size: size, needed: Self.required))
    }
    // The memory may end at `size`, so it isn't bound to the struct type, which may be longer.
    func function<Function>(_ field: String, at offset: Int) throws(PluginLoadError) -> Function {
      let pointer = unsafe table.loadUnaligned(
        fromByteOffset: offset, as: UnsafeRawPointer?.self)
      guard let pointer = unsafe pointer else {
        throw PluginLoadError(name, .missingFunction(field))
      }
      return unsafe unsafeBitCast(pointer, to: Function.self)
    }
    unsafe manifest = try function("manifest", at: 16)
    unsafe create = try function("create", at: 24)
    unsafe send = try function("send", at: 32)
    unsafe poll = try function("poll", at: 40)
    unsafe destroy = try function("destroy", at: 48)
    minor = unsafe table.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
    let pointer =
      size >= 64
      ? unsafe table.loadUnaligned(fromByteOffset: 56, as: UnsafeRawPointer?.self) : nil
    unsafe findExtension = pointer.map {
      unsafe unsafeBitCast($0, to: (@convention(c) (vm_bytes) -> UnsafeRawPointer?).self)
    }
  }

  /// Tells the plugin that it has this process to itself, if it has the extension for that.
  func giveProcess() {
    guard let take = unsafe function(ofExtension: VM_PROCESS_EXTENSION) else { return }
    unsafe unsafeBitCast(take, to: (@convention(c) () -> Void).self)()
  }

  /// What the plugin says of its leaks; empty if it lacks the extension for that.
  func takeLeaks() -> vm_bytes {
    guard let take = unsafe function(ofExtension: VM_LEAKS_EXTENSION) else {
      return unsafe vm_bytes(data: nil, size: 0)
    }
    return unsafe unsafeBitCast(take, to: (@convention(c) () -> vm_bytes).self)()
  }

  /// The first function of an extension, or nil if the plugin lacks it.
  private func function(ofExtension id: String) -> UnsafeRawPointer? {
    guard let findExtension = unsafe findExtension else { return nil }
    var id = id
    let found = id.withUTF8 {
      unsafe findExtension(vm_bytes(data: $0.baseAddress, size: $0.count))
    }
    // The struct may end at the size that it states.
    guard let found = unsafe found, unsafe found.loadUnaligned(as: UInt32.self) >= 16 else {
      return nil
    }
    return unsafe found.loadUnaligned(fromByteOffset: 8, as: UnsafeRawPointer?.self)
  }

  private static func linkerMessage() -> String {
    guard let message = unsafe dlerror() else { return "the dynamic linker gave no reason." }
    return unsafe String(cString: message)
  }

  /// Parses the dynamic linker's message, which names the faulty file before the first colon.
  private static func reason(
    fromLinker message: String, path: String
  ) -> PluginLoadError.Reason {
    let parts = message.split(separator: ":", omittingEmptySubsequences: false)
    let subject = parts.first.map(String.init) ?? ""
    if message.hasSuffix("cannot open shared object file: No such file or directory"),
      subject != path
    {
      return .missingDependency(subject)
    }
    let marker = " undefined symbol: "
    if let part = parts.firstIndex(of: " undefined symbol"), part + 1 < parts.count {
      let symbol = message.dropFirst(subject.count + 1 + marker.count)
      return .undefinedSymbol(
        String(symbol.prefix { $0 != "," && $0 != " " }),
        isOfSwift: symbol.hasPrefix("$s") && Installation.own.swiftRuntime != nil)
    }
    return .linker(message.hasSuffix(".") ? message : message + ".")
  }
}

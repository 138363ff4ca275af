import Foundation
import Glibc
import PluginABI
import TestSupport

/// The plugin as it ships: the built `libmovies.so`, reached through its table alone.
enum MoviesLibrary {
  // A copy of its own: calls into one library must never overlap, and other tests of this process
  // load the built one. Once it is loaded, the file may go.
  private static let address = Result {
    let folder = try TemporaryDirectory()
    let copy = folder.file("libmovies.so")
    try FileManager.default.copyItem(atPath: BuildProducts.library("movies"), toPath: copy)
    return unsafe UInt(bitPattern: try load(copy))
  }

  /// Loads it on the first call; nothing ever unloads it.
  static func table() throws -> UnsafePointer<vm_plugin> {
    guard let table = unsafe UnsafePointer<vm_plugin>(bitPattern: try address.get()) else {
      throw DriverError("the plugin gave no table.")
    }
    return unsafe table
  }

  private static func load(_ path: String) throws -> UnsafePointer<vm_plugin> {
    guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL),
      let symbol = unsafe dlsym(handle, "vm_plugin_entry_v1")
    else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
      throw DriverError("Could not load \(path): \(reason)")
    }
    typealias Entry = @convention(c) () -> UnsafePointer<vm_plugin>?
    let entry = unsafe unsafeBitCast(symbol, to: Entry.self)
    guard let table = unsafe entry() else { throw DriverError("\(path) gave no table.") }
    return unsafe table
  }

  static func manifest() throws -> String {
    let table = unsafe try table()
    guard let manifest = unsafe table.pointee.manifest else {
      throw DriverError("The table has no manifest function.")
    }
    return unsafe String(manifest())
  }
}

/// What went wrong in the driving of the plugin, in a sentence.
struct DriverError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension String {
  init(_ bytes: vm_bytes) {
    let buffer = unsafe UnsafeBufferPointer(start: bytes.data, count: bytes.size)
    self = unsafe String(decoding: buffer, as: UTF8.self)
  }

  /// Lends the text as `vm_bytes` for the time of `body`.
  func withBytes<Result>(_ body: (vm_bytes) throws -> Result) rethrows -> Result {
    let utf8 = Array(self.utf8)
    return try unsafe utf8.withUnsafeBufferPointer { buffer in
      try unsafe body(vm_bytes(data: buffer.baseAddress, size: buffer.count))
    }
  }
}

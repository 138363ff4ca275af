import PluginABI

/// The reason why a plugin could not be loaded. Users see its description.
package struct PluginLoadError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    /// - Parameters:
    ///   - hint: what was probably meant, as ` Did you mean "x"?`; empty if nothing is near.
    ///   - isInBuildFolder: whether vmhost runs from SwiftPM's build folder.
    case notFound(searched: [String], hint: String = "", isInBuildFolder: Bool = false)
    case notAFile
    case tooLarge(Int, max: Int)
    case unreadable(String)
    case notALibrary(String)
    case wrongArchitecture(found: String, host: String)
    case missingDependency(String)
    /// - Parameter isOfSwift: whether the runtime of an installed vmhost may be too old to have it.
    case undefinedSymbol(String, isOfSwift: Bool = false)
    case linker(String)
    case noEntry
    case noTable
    case wrongMagic(UInt32)
    case shortTable(size: UInt32, needed: Int)
    case otherMajor(UInt16)
    case missingFunction(String)
    case badManifest(String)
    /// The plugin can't describe itself, for a reason that it gives.
    case noDescription(String)
    /// What another library has kept in the store isn't for this one: a whole sentence.
    case storeOfAnother(String)
    /// A lock doesn't allow it: whole sentences.
    case locked(String)
    /// A worker's own message.
    case worker(String)
    /// The plugin crashed, hung or ended its worker: a message, and the failure if it
    /// crashed or hung.
    case workerEnded(String, PluginFailure?, digest: String)
  }

  /// The plugin as the user named it.
  package let plugin: String
  package let reason: Reason
  /// The lines that it printed while it was loaded.
  package let printed: [String]

  package init(_ plugin: String, _ reason: Reason, printed: [String] = []) {
    self.plugin = plugin
    self.reason = reason
    self.printed = printed
  }

  package var description: String {
    "Could not load \"\(plugin.terminalSafeLine)\": \(explanation)"
  }

  /// The reason as the end of a sentence about the plugin.
  var explanation: String {
    switch reason {
    case .notFound(let searched, let hint, let isInBuildFolder):
      guard !searched.isEmpty else { return "there is no such file.\(hint)" }
      return "not found.\(hint) Looked for \(searched.joined(separator: ", "))."
        + (isInBuildFolder && hint.isEmpty
          ? " \"swift build\" builds the plugins of a package; \"swift run vmhost\" alone doesn't."
          : "")
    case .notAFile:
      return "it is not a file."
    case .tooLarge(let size, let max):
      return "it has \(size) bytes; a library has at most \(max)."
    case .unreadable(let why):
      return "it can't be read: \(why)."
    case .notALibrary(let why):
      return "it is not a shared library: \(why)."
    case .wrongArchitecture(let found, let host):
      return "it was built for \(found), this host runs on \(host). Rebuild it for \(host)."
    case .missingDependency(let name):
      return "it needs the library \"\(name)\", which was not found. Install it, or put its folder"
        + " in LD_LIBRARY_PATH."
    case .undefinedSymbol(let name, isOfSwift: true):
      return "it uses \"\(name)\", which is neither in its own libraries nor in the Swift runtime"
        + " of this vmhost. If it was built with a newer Swift, link it with -static-stdlib, so"
        + " that it brings its own runtime."
    case .undefinedSymbol(let name, isOfSwift: false):
      return "it uses \"\(name)\", which is in none of the libraries that it was linked with. It"
        + " was built against another version of one of them, or linked without one."
    case .storeOfAnother(let message), .locked(let message), .linker(let message),
      .worker(let message), .workerEnded(let message, _, _):
      return message
    case .noEntry:
      return "it has no \"vm_plugin_entry_v1\", so it is not a plugin of this ABI. Export that"
        + " function (vm_plugin.h says how)."
    case .noTable:
      return "its vm_plugin_entry_v1 returned NULL instead of its table."
    case .wrongMagic(let found):
      let expected = hexadecimal(VM_PLUGIN_MAGIC)
      return "its table begins with 0x\(hexadecimal(found)) instead of 0x\(expected)"
        + " (VM_PLUGIN_MAGIC)."
    case .shortTable(let size, let needed):
      return "its table says that it has \(size) bytes; the first \(needed) are required."
    case .otherMajor(let found):
      return "it speaks ABI \(found), this host speaks \(VM_ABI_MAJOR). "
        + (found > VM_ABI_MAJOR
          ? "Rebuild it against PluginABI \(VM_ABI_MAJOR), or use a newer vmhost."
          : "Rebuild it against PluginABI \(VM_ABI_MAJOR).")
    case .missingFunction(let name):
      return "its table has NULL for \"\(name)\"."
    case .badManifest(let why):
      return "its manifest is wrong: \(why.terminalSafeLine)."
    case .noDescription(let why):
      return "it can't describe itself: \(why.terminalSafeLine)."
    }
  }
}

private func hexadecimal(_ value: UInt32) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 8 - digits.count) + digits
}

/// How a plugin can fail in its worker without an error message.
package enum PluginFailure: Equatable, Sendable {
  /// A signal ended the process.
  case crash
  case hang
}

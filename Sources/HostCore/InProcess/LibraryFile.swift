/// Checks a library file before the dynamic linker sees it.
///
/// `dlopen` only says "wrong ELF class" or "invalid ELF header", and not what it found.
package enum LibraryFile {
  /// Throws if the file can't be a shared library for this machine.
  package static func check(_ path: String, named name: String) throws(PluginLoadError) {
    let start = try start(of: path, named: name, limit: ELFHeader.size)
    guard start.starts(with: ELFHeader.magic) else {
      throw PluginLoadError(
        name, .notALibrary(start.isEmpty ? "the file is empty" : "it has no ELF header"))
    }
    guard let header = ELFHeader(start) else {
      throw PluginLoadError(name, .notALibrary("the file is cut short"))
    }
    let found = architecture(machine: header.machine)
    guard header.is64Bit, found == host else {
      let prefix = header.is64Bit ? "" : "32-bit "
      throw PluginLoadError(name, .wrongArchitecture(found: prefix + found, host: host))
    }
    guard header.type == 3 else {
      throw PluginLoadError(name, .notALibrary("it is an ELF file of another type"))
    }
    guard header.statedSegmentSize == ELFHeader.segmentSize else {
      throw PluginLoadError(
        name,
        .notALibrary(
          "its program headers have \(header.statedSegmentSize) bytes instead of"
            + " \(ELFHeader.segmentSize)"))
    }
    guard header.segmentCount <= ELFHeader.maxSegments else {
      throw PluginLoadError(
        name,
        .notALibrary(
          "it has \(header.segmentCount) program headers, more than the \(ELFHeader.maxSegments)"
            + " that Linux takes"))
    }
    let isWhole: Bool
    do throws(SystemError) {
      isWhole = try self.isWhole(path, header)
    } catch {
      throw PluginLoadError(name, .unreadable(error.reason))
    }
    guard isWhole else { throw PluginLoadError(name, .notALibrary("the file is cut short")) }
  }

  /// Whether a file isn't just being written: what is wrong with it, if anything, stays so.
  package static func isWhole(_ path: String) -> Bool {
    do throws(PluginLoadError) {
      try check(path, named: path)
      return true
    } catch {
      // A linker may begin with the size of the file, and end with its header.
      if case .notALibrary = error.reason { return false }
      return true
    }
  }

  /// The largest library. A worker gets a copy in memory.
  static let maxBytes = 1 << 30

  /// Reads the first bytes of a library. Throws if it isn't a file, is too large, or can't be read.
  static func start(
    of path: String, named name: String, limit: Int
  ) throws(PluginLoadError) -> [UInt8] {
    let kind: Files.Kind
    let size: Int
    let bytes: [UInt8]
    do throws(SystemError) {
      kind = try Files.kind(of: path)
      size = try Files.size(of: path)
      bytes = kind == .regular ? try Files.beginning(of: path, count: limit) : []
    } catch {
      throw PluginLoadError(
        name, error.isNotFound ? .notFound(searched: []) : .unreadable(error.reason))
    }
    guard kind == .regular else { throw PluginLoadError(name, .notAFile) }
    guard size <= maxBytes else { throw PluginLoadError(name, .tooLarge(size, max: maxBytes)) }
    return bytes
  }

  /// Whether the file has all that the linker maps. The linker crashes at the first missing page.
  private static func isWhole(_ path: String, _ header: ELFHeader) throws(SystemError) -> Bool {
    let size = try Files.size(of: path)
    let file = try FileDescriptor.openForReading(path)
    guard let segments = try header.segments(in: file) else { return false }
    for segment in segments {
      let (end, overflow) = segment.offset.addingReportingOverflow(segment.size)
      if overflow || end > size { return false }
    }
    // The section table is rarely needed, but usually ends the file.
    guard let end = header.sectionsEnd else { return false }
    return end <= size
  }

  private static func architecture(machine: UInt64) -> String {
    switch machine {
    case 3: "i386"
    case 40: "arm"
    case 62: "x86_64"
    case 183: "aarch64"
    case 243: "riscv64"
    default: "machine \(machine)"
    }
  }

  private static var host: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #else
      #error("vmhost runs on x86_64 and aarch64")
    #endif
  }
}

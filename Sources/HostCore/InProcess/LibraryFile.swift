/// The header of a library file, read before the dynamic linker sees it.
///
/// `dlopen` says "wrong ELF class" or "invalid ELF header" and not what it found.
enum LibraryFile {
  /// Refuses what can't be a shared library for this machine. (ELF-64 header, elf(5).)
  static func check(_ path: String, named name: String) throws(PluginLoadError) {
    let header = try start(of: path, named: name, limit: 1 << 16)
    let isWhole: Bool
    do throws(SystemError) {
      isWhole = segmentsFit(header, try Files.size(of: path))
    } catch {
      throw PluginLoadError(name, .unreadable(error.reason))
    }
    guard header.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      throw PluginLoadError(
        name, .notALibrary(header.isEmpty ? "the file is empty" : "it has no ELF header"))
    }
    guard header.count >= 64 else {
      throw PluginLoadError(name, .notALibrary("the file is cut short"))
    }
    let found = architecture(machine: UInt16(header[18]) | UInt16(header[19]) << 8)
    let word = header[4] == 1 ? "32-bit " : ""
    guard header[4] == 2, found == host else {
      throw PluginLoadError(name, .wrongArchitecture(found: word + found, host: host))
    }
    guard header[16] == 3 else {
      throw PluginLoadError(name, .notALibrary("it is an ELF file of another type"))
    }
    guard isWhole else { throw PluginLoadError(name, .notALibrary("the file is cut short")) }
  }

  /// A worker gets a copy in memory.
  static let largest = 1 << 30

  /// The first bytes of a file; refuses what is no file, is too large, or can't be read.
  static func start(
    of path: String, named name: String, limit: Int
  ) throws(PluginLoadError) -> [UInt8] {
    let kind: Files.Kind
    let size: Int
    let bytes: [UInt8]
    do throws(SystemError) {
      kind = try Files.kind(of: path)
      size = try Files.size(of: path)
      bytes = kind == .regular ? try Files.read(path, limit: limit) : []
    } catch {
      throw PluginLoadError(
        name, error.isNotFound ? .notFound(searched: []) : .unreadable(error.reason))
    }
    guard kind == .regular else { throw PluginLoadError(name, .notAFile) }
    guard size <= largest else { throw PluginLoadError(name, .tooLarge(size, max: largest)) }
    return bytes
  }

  /// Whether all that is to be mapped is there: the linker dies at the first page that isn't.
  ///
  /// - Parameter start: the file's beginning, with its program headers.
  private static func segmentsFit(_ start: [UInt8], _ size: Int) -> Bool {
    guard start.count >= 64 else { return false }
    func number(at offset: Int, bytes count: Int) -> UInt64 {
      (0..<count).reduce(0) { $0 | UInt64(start[offset + $1]) << (8 * $1) }
    }
    let table = number(at: 32, bytes: 8)
    let entrySize = number(at: 54, bytes: 2)
    let count = number(at: 56, bytes: 2)
    guard entrySize >= 56, table <= start.count,
      table + count * entrySize <= start.count
    else { return false }
    for index in 0..<count {
      let entry = Int(table + index * entrySize)
      let offset = number(at: entry + 8, bytes: 8)
      let (end, overflow) = offset.addingReportingOverflow(number(at: entry + 32, bytes: 8))
      if overflow || end > size { return false }
    }
    // The table of sections, which few need, is usually the very end.
    let sections = number(at: 40, bytes: 8)
    return sections <= size
      && sections + number(at: 58, bytes: 2) * number(at: 60, bytes: 2) <= size
  }

  private static func architecture(machine: UInt16) -> String {
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

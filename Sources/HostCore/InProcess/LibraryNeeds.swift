/// The libraries that a plugin needs from outside of the system's folders.
///
/// A worker may read only folders of system libraries. So the host searches for the other libraries
/// that the plugin needs, and allows the worker to read just these files.
package struct LibraryNeeds: Equatable, Sendable {
  package struct Library: Equatable, Sendable {
    /// The name by which it is needed.
    let name: String
    /// An absolute path without links.
    let path: String
  }

  /// The libraries, including those that they need in turn.
  private(set) var libraries: [Library] = []
  /// Their paths.
  package var files: [String] { libraries.map(\.path) }
  /// What else is needed, in words, if not all could be found by name.
  private(set) var unknown: String?
  /// Whether the plugin finds some of them only relative to its own path (`$ORIGIN`), which a copy
  /// of it doesn't have.
  package private(set) var dependOnPath = false

  /// More would be a loop, a mistake, or an attempt to keep the host busy.
  private static let maxFiles = 500
  static let maxLookups = 10_000

  /// How often a file was looked for, and how many bytes of libraries were read.
  private(set) var work = Work()

  struct Work: Equatable {
    var lookups = 0
    var bytes = 0
  }

  /// Searches for the libraries that the library at `path` needs.
  ///
  /// - Parameters:
  ///   - path: an absolute path without links.
  ///   - searchPath: the folders of `LD_LIBRARY_PATH`.
  ///   - isReadable: whether a worker may read a folder anyway.
  package init(
    of path: String, searchPath: [String] = [], isReadable: (String) -> Bool = { _ in false }
  ) {
    // With the folders that a library searches for those which needed it.
    var waiting: [(path: String, inherited: [String])] = [(path, [])]
    var seen: Set<String> = []
    while let (next, inherited) = waiting.popLast() {
      guard libraries.count < Self.maxFiles else {
        unknown = Self.tooMany
        return
      }
      // The linker will report a library that can't be read or parsed.
      guard let section = try? DynamicSection(of: next) else { continue }
      work.bytes += section.bytesRead
      let origin = Self.folder(of: next)
      let own = section.searchPath.map { Self.expand($0, origin: origin) }
      // As the linker has it (ld.so(8)): the newer path isn't passed on, and comes later.
      let folders = section.isInherited ? own + inherited + searchPath : searchPath + own
      for name in section.needed {
        guard !name.utf8.contains(UInt8(ascii: "/")) else {
          if !isReadable(Self.folder(of: name)) { unknown = unknown ?? "\"\(name)\" by its path" }
          continue
        }
        work.lookups += folders.count
        guard work.lookups <= Self.maxLookups else {
          unknown = Self.tooMany
          return
        }
        // The linker, too, goes on behind a file that isn't a library of this machine.
        guard
          let folder = folders.first(where: {
            guard Self.exists("\($0)/\(name)"), let file = try? Files.absolute("\($0)/\(name)")
            else { return false }
            return isReadable(Self.folder(of: file)) || Self.isLibrary(file)
          }),
          let file = try? Files.absolute("\(folder)/\(name)"),
          !isReadable(Self.folder(of: file)), seen.insert(file).inserted
        else { continue }
        libraries.append(Library(name: name, path: file))
        if next == path && !section.searchPath.contains(folder) && !searchPath.contains(folder) {
          dependOnPath = true
        }
        waiting.append((file, section.isInherited ? own + inherited : []))
      }
    }
  }

  private static let tooMany = "too many libraries"

  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// A plugin may name any file, so a worker may read it only if it is a library.
  private static func isLibrary(_ path: String) -> Bool {
    (try? LibraryFile.check(path, named: path)) != nil
  }

  private static func expand(_ folder: String, origin: String) -> String {
    folder.replacing("${ORIGIN}", with: origin).replacing("$ORIGIN", with: origin)
  }

  private static func exists(_ path: String) -> Bool {
    (try? Files.kind(of: path)) == .regular
  }
}

/// The other libraries that the dynamic section of a library names (ELF-64, elf(5)).
struct DynamicSection {
  /// The names of the libraries that it needs.
  private(set) var needed: [String] = []
  /// The folders to search: `DT_RUNPATH`, or `DT_RPATH` if there is none.
  private(set) var searchPath: [String] = []
  /// Whether these folders are also searched for what the needed libraries need: `DT_RPATH`.
  private(set) var isInherited = false

  /// How many bytes of the file were read.
  private(set) var bytesRead = 0

  /// The longest name of a file, and the longest list of folders.
  private static let maxName = 256
  private static let maxText = 4096
  /// The part of a dynamic section that is read. Linkers write less than a hundredth of it.
  private static let maxBytes = 1 << 16
  private static let maxNames = 256
  private static let maxFolders = 64

  /// Reads the section. Returns nil if the file is not a library, or contradicts itself.
  init?(of path: String) throws(SystemError) {
    let file = try FileDescriptor.openForReading(path)
    guard let header = ELFHeader(try file.read(at: 0, count: ELFHeader.size)), header.is64Bit,
      let segments = try header.segments(in: file)
    else { return nil }
    bytesRead = ELFHeader.size + segments.count * ELFHeader.segmentSize
    var names: [UInt64] = []
    var paths: [UInt64: UInt64] = [:]
    // If there are several, the linker also takes the last one.
    if let segment = segments.last(where: { $0.kind == ELFHeader.Segment.dynamic }) {
      let size = Int(min(segment.size, UInt64(Self.maxBytes)))
      let dynamic = ELFBytes(try file.read(at: Int(clamping: segment.offset), count: size))
      bytesRead += dynamic.count
      for start in stride(from: 0, to: dynamic.count - 15, by: 16) {
        let (tag, value) = (dynamic.number(start, 8), dynamic.number(start + 8, 8))
        if tag == 0 { break }
        if tag == 1 { names.append(value) } else { paths[tag] = value }
      }
    }
    guard let texts = paths[5],
      let segment = segments.first(where: {
        $0.kind == ELFHeader.Segment.loaded && texts >= $0.address && texts - $0.address < $0.size
      })
    else { return nil }
    let offset = segment.offset &+ (texts - segment.address)
    for name in names.prefix(Self.maxNames) {
      needed.append(try text(at: offset &+ name, limit: Self.maxName, in: file))
    }
    isInherited = paths[29] == nil
    if let list = paths[29] ?? paths[15] {
      searchPath = try text(at: offset &+ list, limit: Self.maxText, in: file).split(separator: ":")
        .prefix(Self.maxFolders).map(String.init)
    }
  }

  private mutating func text(
    at offset: UInt64, limit: Int, in file: borrowing FileDescriptor
  ) throws(SystemError) -> String {
    let bytes = try file.read(at: Int(clamping: offset), count: limit)
    bytesRead += bytes.count
    return PathText.text(bytes.prefix { $0 != 0 })
  }
}

/// The libraries beside a plugin, or where it says they are, that it needs to be loaded.
///
/// A worker may read only folders of system libraries. So the host looks for what the plugin would
/// not find there, and the worker may read just these files.
package struct LibraryNeeds: Equatable, Sendable {
  /// Absolute paths of the libraries, those that they need included.
  package private(set) var files: [String] = []
  /// Whether the plugin finds some of them by its own place alone (`$ORIGIN`), which a copy of it
  /// doesn't have.
  package private(set) var dependOnPlace = false

  /// More would be a loop, a mistake, or somebody who wants the host to be busy.
  private static let maxFiles = 500
  private static let maxLookups = 10_000

  /// Looks for what the library at `path` needs.
  ///
  /// - Parameters:
  ///   - path: absolute, without links.
  ///   - searchPath: the folders of `LD_LIBRARY_PATH`.
  ///   - isReadable: folders that a worker may read anyway.
  package init(
    of path: String, searchPath: [String] = [], isReadable: (String) -> Bool = { _ in false }
  ) {
    var waiting = [path]
    var seen: Set<String> = []
    var lookups = 0
    while let next = waiting.popLast(), files.count < Self.maxFiles {
      // What can't be read or understood is for the linker to complain of.
      guard let section = try? DynamicSection(of: next) else { continue }
      let origin = Self.folder(of: next)
      for name in section.needed where !name.contains("/") {
        let folders = searchPath + section.searchPath
        lookups += folders.count
        guard lookups <= Self.maxLookups else { return }
        guard
          let listed = folders.first(where: {
            Self.exists("\(Self.expand($0, origin: origin))/\(name)")
          })
        else { continue }
        let folder = Self.expand(listed, origin: origin)
        guard let file = try? Files.absolute("\(folder)/\(name)"),
          !isReadable(Self.folder(of: file)), seen.insert(file).inserted,
          Self.isLibrary(file)
        else { continue }
        files.append(file)
        if next == path && folder != listed { dependOnPlace = true }
        waiting.append(file)
      }
    }
  }

  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// A plugin may name any file; what isn't a library is none of its business.
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

/// What the dynamic section of a library says of other libraries. (ELF-64, elf(5).)
struct DynamicSection {
  /// The names of the libraries that it needs.
  private(set) var needed: [String] = []
  /// Where to look for them: `DT_RUNPATH`, or `DT_RPATH` if there is none.
  private(set) var searchPath: [String] = []

  private static let maxText = 4096
  private static let maxBytes = 1 << 20
  private static let maxNames = 256
  private static let maxFolders = 64

  /// Nil where the file is no library, or contradicts itself.
  init?(of path: String) throws(SystemError) {
    let file = try FileDescriptor.openForReading(path)
    guard let header = ELFHeader(try file.read(at: 0, count: ELFHeader.size)), header.is64Bit,
      let segments = try header.segments(in: file)
    else { return nil }
    var names: [UInt64] = []
    var paths: [UInt64: UInt64] = [:]
    // Of several, the linker takes the last one, too.
    if let segment = segments.last(where: { $0.kind == ELFHeader.Segment.dynamic }) {
      let size = Int(min(segment.size, UInt64(Self.maxBytes)))
      let dynamic = ELFBytes(try file.read(at: Int(clamping: segment.offset), count: size))
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
    func text(_ index: UInt64) throws(SystemError) -> String {
      let bytes = try file.read(at: Int(clamping: offset &+ index), count: Self.maxText)
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    for name in names.prefix(Self.maxNames) { needed.append(try text(name)) }
    if let list = paths[29] ?? paths[15] {
      searchPath = try text(list).split(separator: ":").prefix(Self.maxFolders).map(String.init)
    }
  }
}

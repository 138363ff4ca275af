/// The other libraries that the dynamic section of a library names (ELF-64, elf(5)).
struct DynamicSection {
  /// The names of the libraries that it needs.
  private(set) var needed: [String] = []
  /// The folders to search: `DT_RUNPATH`, or `DT_RPATH` if there is none.
  private(set) var searchPath: [String] = []
  /// Whether these folders are also searched for what the needed libraries need: `DT_RPATH`.
  private(set) var isInherited = false

  /// Why the linker may see more in it than this has; nil if it can't.
  private(set) var doubt: String?

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
    var (isEnded, isPlain) = (false, false)
    // If there are several, the linker also takes the last one.
    if let segment = segments.last(where: { $0.kind == ELFHeader.Segment.dynamic }) {
      let size = Int(min(segment.size, UInt64(Self.maxBytes)))
      let dynamic = ELFBytes(try file.read(at: Int(clamping: segment.offset), count: size))
      bytesRead += dynamic.count
      for start in stride(from: 0, to: dynamic.count - 15, by: 16) {
        let (tag, value) = (dynamic.number(start, 8), dynamic.number(start + 8, 8))
        if tag == 0 {
          isEnded = true
          break
        }
        if tag == 1 { names.append(value) } else { paths[tag] = value }
      }
      isPlain = Self.isMapped(segment, segments)
    }
    if let name = Self.others.first(where: { paths[$0.tag] != nil })?.name {
      doubt = "names a library by \(name)"
    } else if !isEnded || !isPlain || names.count > Self.maxNames {
      doubt = Self.unwritten
    }
    guard let texts = paths[5],
      let segment = segments.first(where: {
        $0.kind == ELFHeader.Segment.loaded && texts >= $0.address && texts - $0.address < $0.size
      })
    else { return nil }
    let offset = segment.offset &+ (texts - segment.address)
    if (names + paths.filter { $0.key == 29 || $0.key == 15 }.values).contains(where: {
      $0 >= segment.size - (texts - segment.address)
    }) {
      doubt = doubt ?? Self.unwritten
    }
    for name in names.prefix(Self.maxNames) {
      needed.append(try text(at: offset &+ name, limit: Self.maxName, in: file))
    }
    isInherited = paths[29] == nil
    if let list = paths[29] ?? paths[15] {
      let text = try text(at: offset &+ list, limit: Self.maxText, in: file)
      // An empty folder is the current one.
      let folders = text.isEmpty ? [] : Files.folders(inList: text)
      if folders.count > Self.maxFolders { doubt = doubt ?? "searches too many folders" }
      if folders.contains("") { doubt = doubt ?? "searches the current folder for libraries" }
      searchPath = Array(folders.filter { !$0.isEmpty }.prefix(Self.maxFolders))
    }
  }

  private static let unwritten = "has a dynamic section that no linker writes"

  /// Other entries by which the linker loads libraries.
  private static let others: [(tag: UInt64, name: String)] = [
    (0x7fff_fffd, "DT_AUXILIARY"), (0x7fff_ffff, "DT_FILTER"),
    (0x6fff_fefc, "DT_AUDIT"), (0x6fff_fefb, "DT_DEPAUDIT"),
  ]

  /// Whether the section in memory, which the linker reads, is the one in the file. Nothing else
  /// may be mapped over it.
  private static func isMapped(
    _ section: ELFHeader.Segment, _ segments: [ELFHeader.Segment]
  ) -> Bool {
    let loaded = segments.filter { $0.kind == ELFHeader.Segment.loaded }
    let page: UInt64 = 4096
    for (one, next) in zip(loaded, loaded.dropFirst())
    where one.address &+ one.size > next.address / page * page { return false }
    return loaded.contains {
      section.address >= $0.address && section.address - $0.address < $0.size
        && $0.offset &+ (section.address - $0.address) == section.offset
    }
  }

  private mutating func text(
    at offset: UInt64, limit: Int, in file: borrowing FileDescriptor
  ) throws(SystemError) -> String {
    let bytes = try file.read(at: Int(clamping: offset), count: limit)
    bytesRead += bytes.count
    if !bytes.contains(0) { doubt = doubt ?? "has a name or a search path that is too long" }
    return PathText.text(bytes.prefix { $0 != 0 })
  }
}

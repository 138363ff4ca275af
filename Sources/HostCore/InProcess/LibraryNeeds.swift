import Basics

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
  /// The names of the libraries that come from the installed Swift runtime, in the order of need.
  private(set) var ofSwift: [String] = []
  /// Why others may be loaded too, in words, unless these are all for sure. Only an exact search
  /// tells of all reasons.
  private(set) var doubt: String?
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

  private let searchPath: [String]
  private let swiftRuntime: String?
  private let isExact: Bool
  private var subfolders = LinkerSubfolders()
  /// Libraries whose needs are still unknown, in the order in which the linker loads them.
  private var waiting: [Waiting]
  private var seen: Set<PathKey> = []

  private struct Waiting: Equatable {
    /// An absolute path without links.
    let path: String
    /// The folder in which the linker found it, which is its `$ORIGIN`.
    let origin: String
    /// The folders that a library searches for those which needed it.
    let inherited: [String]
    /// Whether it is one of the system's.
    var isReadable = false
  }

  package static func == (one: LibraryNeeds, other: LibraryNeeds) -> Bool {
    (one.libraries, one.ofSwift, one.doubt, one.dependOnPath, one.work)
      == (other.libraries, other.ofSwift, other.doubt, other.dependOnPath, other.work)
  }

  /// Searches for the libraries that the library at `path` needs.
  ///
  /// - Parameters:
  ///   - path: an absolute path without links.
  ///   - searchPath: the folders of `LD_LIBRARY_PATH`.
  ///   - swiftRuntime: the folder of libraries that are loaded before all others, if any.
  ///   - isExact: whether `doubt` must tell of all that the linker may load otherwise.
  ///   - isReadable: whether a worker may read a folder anyway.
  package init(
    of path: String, searchPath: [String] = [], swiftRuntime: String? = nil, isExact: Bool = false,
    isReadable: (String) -> Bool = { _ in false }
  ) {
    self.searchPath = searchPath
    self.swiftRuntime = swiftRuntime
    self.isExact = isExact
    waiting = [Waiting(path: path, origin: Self.folder(of: path), inherited: [])]
    if isExact { doubt = Self.doubt(in: searchPath) }
    var next = 0
    while next < waiting.count && libraries.count <= Self.maxFiles
      && work.lookups <= Self.maxLookups
    {
      follow(waiting[next], isReadable)
      next += 1
    }
    if next < waiting.count || work.lookups > Self.maxLookups {
      doubt = "it needs too many libraries"
    }
  }

  /// Searches for what one library needs.
  private mutating func follow(_ library: Waiting, _ isReadable: (String) -> Bool) {
    let isPlugin = library == waiting[0]
    let subject = isPlugin ? "it" : "\"\(library.path)\""
    guard let section = try? DynamicSection(of: library.path) else {
      // The linker will report a library that can't be read or parsed.
      if !library.isReadable { doubt = doubt ?? "\(subject) can't be parsed" }
      return
    }
    work.bytes += section.bytesRead
    let own = section.searchPath.map { Self.expand($0, origin: library.origin) }
    let inherited = section.isInherited ? own + library.inherited : library.inherited
    // As the linker has it (ld.so(8)): the newer path isn't passed on, and comes later.
    let folders = section.isInherited ? inherited + searchPath : searchPath + own
    if isExact && !library.isReadable { examine(section, subject, isPlugin: isPlugin, isReadable) }
    for name in section.needed {
      guard !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "$") })
      else {
        if !Self.isOfSystem(name, isReadable) {
          doubt = doubt ?? "\(subject) needs \"\(name)\" by its path"
        }
        continue
      }
      if let swiftRuntime, Self.exists("\(swiftRuntime)/\(name)") {
        if !ofSwift.contains(name) { ofSwift.append(name) }
        continue
      }
      let found = find(name, in: folders, subject, isReadable)
      guard work.lookups <= Self.maxLookups else { return }
      guard let (folder, file) = found ?? findInSystem(name) else { continue }
      let isOfSystem = isReadable(Self.folder(of: file))
      // The system's libraries find theirs in the system's folders, unless others come first.
      guard !isOfSystem || isExact && !(inherited + searchPath).isEmpty,
        seen.insert(PathKey(file)).inserted
      else { continue }
      waiting.append(
        Waiting(path: file, origin: folder, inherited: inherited, isReadable: isOfSystem))
      guard !isOfSystem else { continue }
      libraries.append(Library(name: name, path: file))
      if isPlugin && !section.searchPath.contains(folder) && !searchPath.contains(folder) {
        dependOnPath = true
      }
    }
  }

  /// Searches folders as the linker does. It, too, goes on behind a file that isn't a library of
  /// this machine.
  private mutating func find(
    _ name: String, in folders: [String], _ subject: String, _ isReadable: (String) -> Bool
  ) -> (folder: String, file: String)? {
    work.lookups += folders.count
    guard work.lookups <= Self.maxLookups else { return nil }
    for folder in folders {
      if isExact { searchSubfolders(of: folder, for: name, subject, isReadable) }
      let path = "\(folder)/\(name)"
      guard let kind = try? Files.kind(of: path) else { continue }
      if kind == .regular, let file = try? Files.absolute(path),
        !isExact && isReadable(Self.folder(of: file)) || Self.isLibrary(file)
      {
        return (folder, file)
      }
      if isExact { doubt = doubt ?? "\(subject) may need \"\(path)\", which is not a library" }
    }
    return nil
  }

  private static func folder(of path: String) -> String {
    Files.folder(of: path) ?? ""
  }

  /// A plugin may name any file, so a worker may read it only if it is a library.
  private static func isLibrary(_ path: String) -> Bool {
    (try? LibraryFile.check(path, named: path)) != nil
  }

  private static func exists(_ path: String) -> Bool { (try? Files.kind(of: path)) != nil }

  private static func expand(_ folder: String, origin: String) -> String {
    folder.byteReplacing("${ORIGIN}", with: origin).byteReplacing("$ORIGIN", with: origin)
  }
}

/// What only an exact search looks at.
extension LibraryNeeds {
  /// Notes what isn't certain of the libraries that a section names.
  private mutating func examine(
    _ section: DynamicSection, _ subject: String, isPlugin: Bool, _ isReadable: (String) -> Bool
  ) {
    if let text = section.doubt { doubt = doubt ?? "\(subject) \(text)" }
    if let folder = section.searchPath.first(where: { !Self.isPlain($0) }) {
      doubt = doubt ?? "\(subject) searches \"\(folder)\" for libraries"
    }
    guard isPlugin else { return }
    // The linker takes the folder of a worker's image for `$ORIGIN`.
    let images = section.searchPath.filter(Self.hasToken)
      .map { Self.expand($0, origin: Self.images) }
    // What Swift's runtime has is loaded from there before all else.
    let runtime = swiftRuntime == nil ? RuntimeLibraries.folder(for: section) : nil
    for name in section.needed where !ofSwift.contains(name) {
      var folders = images
      if let runtime, searchPath.contains(where: { Self.exists("\($0)/\(name)") }) {
        folders.append(runtime)
      }
      for folder in folders {
        guard let file = try? Files.absolute("\(folder)/\(name)"),
          !isReadable(Self.folder(of: file))
        else { continue }
        doubt = doubt ?? "\(subject) may need \"\(name)\" from \"\(folder)\""
      }
    }
  }

  /// Notes a library that the linker may prefer to that in the folder itself.
  private mutating func searchSubfolders(
    of folder: String, for name: String, _ subject: String, _ isReadable: (String) -> Bool
  ) {
    guard let absolute = try? Files.absolute(folder), !isReadable(absolute) else { return }
    guard let all = subfolders.all(in: folder) else {
      doubt = doubt ?? "\(subject) searches too many folders in \"\(folder)\""
      return
    }
    work.lookups += all.count
    if let other = all.first(where: { Self.exists("\($0)/\(name)") }) {
      doubt = doubt ?? "\(subject) may need \"\(name)\" from \"\(other)\""
    }
  }

  /// Finds one of the system's libraries. The linker's cache isn't read: it only names these.
  private func findInSystem(_ name: String) -> (folder: String, file: String)? {
    guard isExact else { return nil }
    for folder in Self.systemFolders {
      guard let file = try? Files.absolute("\(folder)/\(name)") else { continue }
      return (folder, file)
    }
    return nil
  }

  private static let systemFolders = ["/lib", "/usr/lib", "/usr/local/lib"].flatMap {
    ["\($0)/\(architecture)-linux-gnu", "\($0)64", $0]
  }

  #if arch(arm64)
    private static let architecture = "aarch64"
  #else
    private static let architecture = "x86_64"
  #endif

  /// The folder in which a worker has its plugin's image.
  private static let images = "/proc/self/fd"

  private static func isOfSystem(_ name: String, _ isReadable: (String) -> Bool) -> Bool {
    guard Files.isAbsolute(name), !hasToken(name), let file = try? Files.absolute(name) else {
      return false
    }
    return isReadable(folder(of: file))
  }

  private static func doubt(in searchPath: [String]) -> String? {
    // The linker also takes a semicolon between two of them.
    let folder = searchPath.first {
      !Files.isAbsolute($0) || $0.utf8.contains { "$;".utf8.contains($0) }
    }
    return folder.map { "LD_LIBRARY_PATH has the folder \"\($0)\"" }
  }

  /// Whether a folder is the same for the linker as for vmhost: it is absolute, or relative to the
  /// library, and has nothing else that the linker replaces.
  private static func isPlain(_ folder: String) -> Bool {
    let parts = folder.byteSplit(separator: "/", maxSplits: 1)
    return ["", "$ORIGIN", "${ORIGIN}"].contains(parts[0])
      && !parts.dropFirst().contains(where: hasToken)
  }

  /// Whether the linker may replace a part of a path.
  private static func hasToken(_ path: String) -> Bool { path.utf8.contains(UInt8(ascii: "$")) }
}

import Glibc

/// Functions that inspect files and read whole files.
package enum Files {
  package enum Kind { case regular, directory, other }

  /// The kind of file at `path`, after following links.
  package static func kind(of path: String) throws(SystemError) -> Kind {
    var information = stat()
    guard unsafe path.withPath({ unsafe stat($0, &information) }) == 0 else { throw .last("stat") }
    switch information.st_mode & S_IFMT {
    case S_IFREG: return .regular
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  /// Whether `path` is a symbolic link.
  package static func isLink(_ path: String) throws(SystemError) -> Bool {
    var information = stat()
    guard unsafe path.withPath({ unsafe lstat($0, &information) }) == 0 else {
      throw .last("lstat")
    }
    return information.st_mode & S_IFMT == S_IFLNK
  }

  /// The size of a file in bytes.
  package static func size(of path: String) throws(SystemError) -> Int {
    var information = stat()
    guard unsafe path.withPath({ unsafe stat($0, &information) }) == 0 else { throw .last("stat") }
    return Int(information.st_size)
  }

  /// The largest file that is read as a whole.
  package static let maxBytes = 1 << 26

  /// Reads a file.
  ///
  /// - Throws: also if the file has more bytes than `limit`. Devices may never end.
  package static func read(
    _ path: String, limit: Int = maxBytes
  ) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor.openForReading(path)
    // The size tells nothing of devices, and of the files of the kernel.
    guard try file.size() <= limit else { throw SystemError.tooLarge(limit) }
    let bytes = try file.beginning(limit + 1)
    guard bytes.count <= limit else { throw SystemError.tooLarge(limit) }
    return bytes
  }

  /// Reads the first bytes of a file.
  package static func beginning(
    of path: String, count: Int
  ) throws(SystemError) -> [UInt8] {
    try FileDescriptor.openForReading(path).beginning(count)
  }

  /// The names in a folder, in no particular order.
  package static func names(in folder: String) throws(SystemError) -> [String] {
    guard let entries = unsafe folder.withPath({ unsafe opendir($0) }) else {
      throw .last("opendir")
    }
    defer { unsafe closedir(entries) }
    var names: [String] = []
    while let entry = unsafe readdir(entries) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe PathText.text(raw.prefix { $0 != 0 })
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The unresolved target of a symbolic link.
  package static func target(ofLink path: String) throws(SystemError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe path.withPath { unsafe readlink($0, &buffer, buffer.count) }
    guard count >= 0 else { throw .last("readlink") }
    return PathText.text(buffer.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// The path with `.`, `..` and links resolved.
  package static func absolute(_ path: String) throws(SystemError) -> String {
    guard let resolved = unsafe path.withPath({ unsafe realpath($0, nil) }) else {
      throw .last("realpath")
    }
    defer { unsafe free(resolved) }
    return unsafe PathText.text(resolved)
  }

  /// The folder that holds the running executable.
  package static func executableFolder() throws(SystemError) -> String {
    folder(of: try absolute("/proc/self/exe")) ?? ""
  }
}

/// The environment of this process.
package enum Environment {
  /// The value of an environment variable, or nil if it isn't set.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The value of a variable that holds a path, or several, as `PathText` has them.
  package static func path(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe PathText.text(value)
  }
}

/// The file that a path led to and the state it was in, to detect a change.
struct FileIdentity: Equatable {
  /// The file itself, regardless of its names and its state.
  struct File: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  let file: File
  private let state: [Int]

  init(of path: String) throws(SystemError) {
    var information = stat()
    guard unsafe path.withPath({ unsafe stat($0, &information) }) == 0 else { throw .last("stat") }
    file = File(device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
    state = [
      information.st_size, information.st_mtim.tv_sec, information.st_mtim.tv_nsec,
      information.st_ctim.tv_sec, information.st_ctim.tv_nsec,
    ]
  }
}

import Glibc

/// Functions that inspect files and read whole files.
package enum Files {
  package enum Kind { case regular, directory, other }

  /// The kind of file at `path`, after following links.
  package static func kind(of path: String) throws(SystemError) -> Kind {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { throw .last("stat") }
    switch information.st_mode & S_IFMT {
    case S_IFREG: return .regular
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  /// Whether `path` is a symbolic link.
  package static func isLink(_ path: String) throws(SystemError) -> Bool {
    var information = stat()
    guard unsafe lstat(path, &information) == 0 else { throw .last("lstat") }
    return information.st_mode & S_IFMT == S_IFLNK
  }

  /// The size of a file in bytes.
  package static func size(of path: String) throws(SystemError) -> Int {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { throw .last("stat") }
    return Int(information.st_size)
  }

  /// Reads a file, or its first `limit` bytes.
  package static func read(
    _ path: String, limit: Int = .max
  ) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor.openForReading(path)
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let part = min(limit - bytes.count, 1 << 20)
      guard let count = try Descriptor.read(file.number, limit: part, into: &bytes), count > 0
      else { break }
    }
    return bytes
  }

  /// The names in a folder, in no particular order.
  package static func names(in folder: String) throws(SystemError) -> [String] {
    guard let entries = unsafe opendir(folder) else { throw .last("opendir") }
    defer { unsafe closedir(entries) }
    var names: [String] = []
    while let entry = unsafe readdir(entries) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The unresolved target of a symbolic link.
  package static func target(ofLink path: String) throws(SystemError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count >= 0 else { throw .last("readlink") }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path with `.`, `..` and links resolved.
  package static func absolute(_ path: String) throws(SystemError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw .last("realpath") }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The folder that holds the running executable.
  package static func executableFolder() throws(SystemError) -> String {
    let path = try absolute("/proc/self/exe")
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }
}

/// The environment of this process.
package enum Environment {
  /// The value of an environment variable, or nil if it isn't set.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
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
    guard unsafe stat(path, &information) == 0 else { throw .last("stat") }
    file = File(device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
    state = [
      information.st_size, information.st_mtim.tv_sec, information.st_mtim.tv_nsec,
      information.st_ctim.tv_sec, information.st_ctim.tv_nsec,
    ]
  }
}

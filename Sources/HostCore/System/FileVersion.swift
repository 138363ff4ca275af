import Glibc

/// What is at a path, to see whether its content has changed.
struct FileVersion: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let type: UInt32
  let size: Int
  /// The time of the last change of the content, in nanoseconds since 1970-01-01T00:00:00Z.
  let modified: Nanoseconds
  /// How many names the file has.
  let links: Int

  /// Nil if there is nothing at the path, or nothing that this process may see.
  init?(of path: String) {
    var information = stat()
    guard unsafe path.withPath({ unsafe stat($0, &information) }) == 0 else { return nil }
    self.init(information)
  }

  /// Nil if the descriptor isn't open.
  init?(ofDescriptor number: Int32) {
    var information = stat()
    guard unsafe fstat(number, &information) == 0 else { return nil }
    self.init(information)
  }

  private init(_ information: stat) {
    device = UInt64(information.st_dev)
    inode = UInt64(information.st_ino)
    type = information.st_mode & S_IFMT
    size = Int(information.st_size)
    modified =
      Int64(information.st_mtim.tv_sec) * 1_000_000_000
      + Int64(information.st_mtim.tv_nsec)
    links = Int(information.st_nlink)
  }

  /// Names don't belong to the content.
  static func == (one: FileVersion, other: FileVersion) -> Bool {
    (one.device, one.inode, one.type, one.size, one.modified)
      == (other.device, other.inode, other.type, other.size, other.modified)
  }

  /// Whether it is the same file, whatever its content.
  func isSameFile(as other: FileVersion) -> Bool {
    (device, inode) == (other.device, other.inode)
  }
}

import Glibc

extension FileDescriptor {
  /// Creates a file that only its owner can read, and that must not exist yet. Each write goes to
  /// the end of the file at that time.
  static func createForAppending(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .last("open") }
    return FileDescriptor(adopting: number)
  }

  /// Cuts the file off after its first `size` bytes.
  borrowing func truncate(to size: Int) throws(SystemError) {
    guard ftruncate(number, size) == 0 else { throw .last("ftruncate") }
  }
}

extension Files {
  /// Removes a file.
  static func remove(_ path: String) throws(SystemError) {
    guard unsafe unlink(path) == 0 else { throw .last("unlink") }
  }
}

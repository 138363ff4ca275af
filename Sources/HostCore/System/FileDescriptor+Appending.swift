import Glibc

extension FileDescriptor {
  /// Makes a file that wasn't there, for its owner's eyes only. All that is written goes to its
  /// end, wherever that is.
  static func createForAppending(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .last("open") }
    return FileDescriptor(adopting: number)
  }

  /// Cuts the file off behind its first `size` bytes.
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

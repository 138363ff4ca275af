import Glibc
import HostShims

extension FileDescriptor {
  /// Creates a file that only its owner can read, and that must not exist yet. Each write goes to
  /// the end of the file at that time.
  static func createForAppending(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = unsafe path.withPath {
      unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    }
    guard number >= 0 else { throw .last("open") }
    return FileDescriptor(adopting: number)
  }

  /// Creates a file without a name, which is gone when it is closed. Each write goes to its end.
  static func createInMemory() throws(SystemError) -> FileDescriptor {
    let number = host_memory_file()
    guard number >= 0 else { throw .last("memfd_create") }
    return FileDescriptor(adopting: number)
  }

  /// Opens a file for reading, and for writing to its end. If it doesn't exist, it is created for
  /// its owner alone.
  package static func openForAppending(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = unsafe path.withPath {
      unsafe open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }
    guard number >= 0 else { throw .last("open") }
    return FileDescriptor(adopting: number)
  }

  package enum Lock {
    /// Waits until nobody has it alone.
    case shared
    /// Doesn't wait.
    case exclusive
  }

  /// Locks the file for this descriptor, against others that lock it. It replaces a former lock.
  ///
  /// - Returns: whether it is locked now. An exclusive lock isn't had while others have one.
  @discardableResult
  package borrowing func lock(_ lock: Lock) throws(SystemError) -> Bool {
    let operation =
      switch lock {
      case .shared: LOCK_SH
      case .exclusive: LOCK_EX | LOCK_NB
      }
    while flock(number, operation) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .last("flock") }
    }
    return true
  }

  /// The size of the file in bytes.
  package borrowing func size() throws(SystemError) -> Int {
    var information = stat()
    guard unsafe fstat(number, &information) == 0 else { throw .last("fstat") }
    return Int(information.st_size)
  }

  /// Cuts the file off after its first `size` bytes.
  package borrowing func truncate(to size: Int) throws(SystemError) {
    guard ftruncate(number, size) == 0 else { throw .last("ftruncate") }
  }
}

extension Files {
  /// Removes a file.
  static func remove(_ path: String) throws(SystemError) {
    guard unsafe path.withPath({ unsafe unlink($0) }) == 0 else { throw .last("unlink") }
  }
}

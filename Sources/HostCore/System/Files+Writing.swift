import Glibc

extension Files {
  /// Replaces the contents of the file at `path` atomically: a reader never sees half a file.
  ///
  /// It follows links. It writes directly to anything but a regular file, such as `/dev/stdout` or
  /// a pipe.
  package static func replace(_ path: String, with bytes: Span<UInt8>) throws(SystemError) {
    var target = path
    do throws(SystemError) {
      guard try kind(of: path) == .regular else {
        let number = unsafe path.withPath { unsafe open($0, O_WRONLY | O_CLOEXEC) }
        guard number >= 0 else { throw .last("open") }
        return try FileDescriptor(adopting: number).write(bytes)
      }
      target = try absolute(path)
    } catch {
      guard error.isNotFound else { throw error }
    }
    try write(bytes, renamingTo: target)
  }

  /// Creates an empty file with these permissions unless there is something at `path`. It opens
  /// nothing.
  static func createEmpty(_ path: String, mode: mode_t) throws(SystemError) {
    guard unsafe path.withPath({ unsafe mknod($0, S_IFREG | mode, 0) }) == 0 || errno == EEXIST
    else {
      throw .last("mknod")
    }
  }

  /// Throws if this process may not write to the file, or create files in the folder, at `path`.
  static func requireWritable(_ path: String) throws(SystemError) {
    guard unsafe path.withPath({ unsafe faccessat(AT_FDCWD, $0, W_OK, AT_EACCESS) }) == 0 else {
      throw .last("faccessat")
    }
  }

  /// Makes the missing folders that lead to `path`. Only their owner can enter them.
  package static func makeFolder(above path: String) throws(SystemError) {
    guard let folder = folder(of: path), !folder.isEmpty else { return }
    if (try? kind(of: folder)) == .directory { return }
    try makeFolder(above: folder)
    guard unsafe folder.withPath({ unsafe mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw .last("mkdir")
    }
  }

  private static func write(
    _ bytes: Span<UInt8>, renamingTo target: String
  ) throws(SystemError) {
    let folder = folder(of: target).map { "\($0)/" } ?? ""
    // It is in the same folder, since only a rename within one file system is atomic.
    let temporary = "\(folder).vmhost-\(getpid())-\(SystemClock.monotonic()).tmp"
    let number = unsafe temporary.withPath {
      unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard number >= 0 else { throw .last("open") }
    do throws(SystemError) {
      let file = FileDescriptor(adopting: number)
      // The new file keeps the permissions of the old one.
      var information = stat()
      if unsafe target.withPath({ unsafe stat($0, &information) }) == 0 {
        guard fchmod(file.number, information.st_mode & 0o7777) == 0 else { throw .last("fchmod") }
      }
      try file.write(bytes)
      let status = unsafe temporary.withPath { old in
        unsafe target.withPath { unsafe rename(old, $0) }
      }
      guard status == 0 else { throw .last("rename") }
    } catch {
      _ = unsafe temporary.withPath { unsafe unlink($0) }
      throw error
    }
  }
}

extension FileDescriptor {
  /// Opens a file for writing and empties it. Each write goes to its end.
  package static func openForAppending(
    emptying path: String
  ) throws(SystemError) -> FileDescriptor {
    let number = unsafe path.withPath {
      unsafe Glibc.open($0, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o666)
    }
    guard number >= 0 else { throw .last("open") }
    return FileDescriptor(adopting: number)
  }

  /// Writes all of `bytes`, in one call unless the system takes fewer at once.
  package borrowing func write(_ bytes: Span<UInt8>) throws(SystemError) {
    try Descriptor.write(number, bytes)
  }
}

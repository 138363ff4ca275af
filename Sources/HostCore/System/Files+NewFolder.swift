import Glibc

extension Files {
  /// Makes a folder with all of these files, or nothing at all.
  ///
  /// The files are written into a folder beside it, which then gets its name. An empty folder at
  /// `path` is replaced; anything else there is an error.
  ///
  /// - Parameter files: their contents, by their paths in the folder.
  package static func makeFolder(
    _ path: String, with files: [(path: String, bytes: [UInt8])]
  ) throws(SystemError) {
    let above = folder(of: path).map { "\($0)/" } ?? ""
    let temporary = "\(above).vmhost-\(getpid())-\(SystemClock.monotonic()).tmp"
    var made: [String] = []
    do throws(SystemError) {
      try makeFolder(temporary, &made)
      for file in files { try write(file.bytes, to: file.path, in: temporary, &made) }
      let status = unsafe temporary.withPath { old in
        unsafe path.withPath { unsafe rename(old, $0) }
      }
      guard status == 0 else { throw .last("rename") }
    } catch {
      for path in made.reversed() { _ = unsafe path.withPath { unsafe Glibc.remove($0) } }
      throw error
    }
  }

  private static func makeFolder(_ path: String, _ made: inout [String]) throws(SystemError) {
    guard unsafe path.withPath({ unsafe mkdir($0, 0o777) }) == 0 else { throw .last("mkdir") }
    made.append(path)
  }

  private static func write(
    _ bytes: [UInt8], to path: String, in root: String, _ made: inout [String]
  ) throws(SystemError) {
    var folder = root
    for name in components(of: path).dropLast() {
      folder += "/\(name)"
      if !made.contains(folder) { try makeFolder(folder, &made) }
    }
    let path = "\(root)/\(path)"
    let number = unsafe path.withPath {
      unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard number >= 0 else { throw .last("open") }
    made.append(path)
    try FileDescriptor(adopting: number).write(bytes.span)
  }
}

import Glibc

/// Files that tests write.
package enum TestFile {
  /// Writes a file in place.
  ///
  /// A process that another test starts meanwhile has its descriptor only until it runs its
  /// program. One of Foundation would stay open until that ends.
  package static func write(_ bytes: [UInt8], to path: String) throws {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let file = try Descriptor(unsafe open(path, flags, 0o666), path)
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = file.write(rest) else {
        throw TestSupportError("Could not write \(path): \(errorText(errno)).")
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Puts a copy of a file in the place of another one, as a linker does.
  ///
  /// Another process does it, so that nothing has the copy open any more when it gets its name.
  package static func replace(_ path: String, with other: String) throws {
    let script = "cp \"$0\" \"$1.new\" && mv \"$1.new\" \"$1\""
    let output = try ChildProcess("/bin/sh", ["-c", script, other, path], input: .null).wait()
    guard output.status == .success else { throw TestSupportError(output.stderr) }
  }
}

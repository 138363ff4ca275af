import HostShims

/// A snapshot of a plugin's library that nobody can change, neither the next build nor the plugin.
///
/// A worker loads it from its descriptor, so that what is hashed here is what runs there.
package struct SealedImage: ~Copyable {
  package let descriptor: FileDescriptor
  package let size: UInt64
  /// False where the system forbids executable memory files: the snapshot is then an unlinked
  /// file, which only root could still change.
  package let isSealed: Bool

  /// Copies the file at `path` as it is now.
  ///
  /// - Parameter folder: where the copy goes if memory won't do.
  package init(copying path: String, folder: String = "/tmp") throws(SystemError) {
    let source = try FileDescriptor.openForReading(path)
    var size: UInt64 = 0
    var isSealed: Int32 = 0
    let number = unsafe host_image_copy(source.number, folder, &size, &isSealed)
    guard number >= 0 else { throw .last("copy") }
    descriptor = FileDescriptor(adopting: number)
    self.size = size
    self.isSealed = isSealed != 0
  }

  /// The SHA-256 of the snapshot, in lowercase hexadecimal; about 1 ms a megabyte.
  package func digest() throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let result = unsafe host_sha256_file(descriptor.number, size, &bytes)
    guard result == 0 else { throw .last("mmap") }
    return SHA256.hexadecimal(bytes)
  }
}

/// The SHA-256 of bytes in memory.
package enum SHA256 {
  /// The digest in lowercase hexadecimal.
  ///
  /// - Parameter portably: without the processor's own instructions, for comparison.
  package static func digest(of bytes: [UInt8], portably: Bool = false) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe host_sha256(bytes, bytes.count, portably ? 1 : 0, &digest)
    return hexadecimal(digest)
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}

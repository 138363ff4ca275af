import HostShims

/// A snapshot of a plugin's library that neither the next build nor the plugin can change.
///
/// A worker loads it from its descriptor, so it runs exactly what is hashed here. A worker can get
/// the image while it is empty, so that it is filled while the worker starts.
package struct SealedImage: ~Copyable {
  package let descriptor: FileDescriptor
  package private(set) var size: UInt64 = 0
  /// Whether the kernel keeps the image from changing. It is false if the system forbids executable
  /// memory files. Then the snapshot is an unlinked file, which only root could change.
  package let isSealed: Bool
  private let writer: FileDescriptor

  /// Makes an empty image.
  ///
  /// - Parameter folder: the folder for an unlinked file, if memory isn't allowed.
  /// - Throws: `SystemError` if neither is possible.
  package init(folder: String = "/tmp") throws(SystemError) {
    var ends: [Int32] = [0, 0]
    var inMemory: Int32 = 0
    guard unsafe host_image_create(folder, &ends, &inMemory) == 0 else { throw .last("create") }
    descriptor = FileDescriptor(adopting: ends[0])
    writer = FileDescriptor(adopting: ends[1])
    isSealed = inMemory != 0
  }

  /// Uses the file itself, which anybody may change. A backtrace needs this, since the backtracer
  /// searches for symbols in the mapped file.
  init(exposing path: String) throws(SystemError) {
    let file = try FileDescriptor.openForReading(path)
    let unused = try FileDescriptor.openForReading(path)
    descriptor = file
    writer = unused
    isSealed = false
  }

  /// Copies the current contents of a file. Call it once.
  ///
  /// - Throws: `SystemError` if the file can't be read or the copy can't be written.
  package mutating func fill(from source: borrowing FileDescriptor) throws(SystemError) {
    var size: UInt64 = 0
    let result = unsafe host_image_fill(writer.number, source.number, isSealed ? 1 : 0, &size)
    guard result == 0 else { throw .last("copy") }
    self.size = size
  }

  /// The SHA-256 of the snapshot, in lowercase hexadecimal.
  ///
  /// It isn't computed while the file is copied, so that the worker doesn't wait for it.
  package func digest() throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard unsafe host_image_hash(descriptor.number, size, &bytes) == 0 else { throw .last("read") }
    return SHA256.hexadecimal(bytes)
  }
}

/// The SHA-256 of bytes.
package enum SHA256 {
  /// The digest in lowercase hexadecimal.
  ///
  /// - Parameter portably: whether to avoid the processor's SHA instructions, for comparison.
  package static func digest(of bytes: [UInt8], portably: Bool = false) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe host_sha256(bytes, bytes.count, portably ? 1 : 0, &digest)
    return hexadecimal(digest)
  }

  /// The digest of the current contents of the file at `path`.
  package static func digest(ofFile path: String) throws(SystemError) -> String {
    digest(of: try Files.read(path))
  }

  /// Whether a text has the form of a digest.
  static func isDigest(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x66 }
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}

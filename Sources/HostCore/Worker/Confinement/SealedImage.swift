import HostShims

/// A snapshot of a plugin's library that nobody can change, neither the next build nor the plugin.
///
/// A worker loads it from its descriptor, so that what is hashed here is what runs there. It can be
/// given to a worker while it is still empty, and is filled while the worker starts.
package struct SealedImage: ~Copyable {
  package let descriptor: FileDescriptor
  package private(set) var size: UInt64 = 0
  /// False where the system forbids executable memory files: the snapshot is then an unlinked
  /// file, which only root could still change.
  package let isSealed: Bool
  private let writer: FileDescriptor

  /// Makes an empty image.
  ///
  /// - Parameter folder: where it lies if memory won't do.
  package init(folder: String = "/tmp") throws(SystemError) {
    var ends: [Int32] = [0, 0]
    var inMemory: Int32 = 0
    guard unsafe host_image_create(folder, &ends, &inMemory) == 0 else { throw .last("create") }
    descriptor = FileDescriptor(adopting: ends[0])
    writer = FileDescriptor(adopting: ends[1])
    isSealed = inMemory != 0
  }

  /// The file itself, which anybody may change: for a worker whose backtrace is wanted, since
  /// symbols are looked for in the file that is mapped.
  init(exposing path: String) throws(SystemError) {
    let file = try FileDescriptor.openForReading(path)
    let unused = try FileDescriptor.openForReading(path)
    descriptor = file
    writer = unused
    isSealed = false
  }

  /// Copies a file as it is now, once.
  package mutating func fill(from source: borrowing FileDescriptor) throws(SystemError) {
    var size: UInt64 = 0
    let result = unsafe host_image_fill(writer.number, source.number, isSealed ? 1 : 0, &size)
    guard result == 0 else { throw .last("copy") }
    self.size = size
  }

  /// The SHA-256 of the snapshot, in lowercase hexadecimal.
  ///
  /// It is not made while the file is copied, since a worker that waits for the copy needn't wait
  /// for this.
  package func digest() throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard unsafe host_image_hash(descriptor.number, size, &bytes) == 0 else { throw .last("read") }
    return SHA256.hexadecimal(bytes)
  }
}

extension SealedImage {
  /// The SHA-256 of the file at `path` as it is now.
  static func digest(of path: String) throws(SystemError) -> String {
    var image = try SealedImage()
    try image.fill(from: try FileDescriptor.openForReading(path))
    return try image.digest()
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

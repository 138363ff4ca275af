import Glibc
import HostShims

/// A snapshot of a plugin's library that neither the next build nor the plugin can change.
///
/// A worker loads it from its descriptor, so it runs exactly what is hashed here. A worker can get
/// the image while it is empty, so that it is filled while the worker starts.
package struct SealedImage: ~Copyable {
  package let descriptor: FileDescriptor
  /// Whether the kernel keeps the image from changing. It is false if the system forbids executable
  /// memory files. Then the snapshot is an unlinked file, which only root could change.
  package let isSealed: Bool
  /// Nil once the image is filled.
  private var writer: FileDescriptor?
  /// The file that it is filled from; nil before, and once all of it is hashed.
  private var source: FileDescriptor?
  private var progress = host_image_source()
  private var knownDigest: String?

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
    descriptor = file
    writer = nil
    source = nil
    isSealed = false
  }

  private init(_ descriptor: consuming FileDescriptor, digest: String, isSealed: Bool) {
    self.descriptor = descriptor
    self.isSealed = isSealed
    writer = nil
    source = nil
    knownDigest = digest
  }

  /// The same snapshot for another worker, once it is filled.
  package mutating func another() throws(SystemError) -> SealedImage {
    SealedImage(try descriptor.duplicate(), digest: try digest(), isSealed: isSealed)
  }

  /// Copies what can be loaded of the current contents of a file. Call it once.
  ///
  /// - Throws: `SystemError` if the file can't be read or the copy can't be written.
  package mutating func fill(from source: consuming FileDescriptor) throws(SystemError) {
    guard let writer = writer.take() else { throw SystemError("copy", number: EPERM) }
    let result = unsafe host_image_fill(
      writer.number, source.number, isSealed ? 1 : 0, &progress)
    guard result == 0 else { throw .last("copy") }
    self.source = consume source
  }

  /// The SHA-256 of the file, in lowercase hexadecimal: of the bytes that were copied, and of those
  /// behind them that can't be loaded, such as debug information. They are read now, so that the
  /// worker doesn't wait for it.
  ///
  /// - Throws: `SystemError` with `ESTALE` if the file has become shorter.
  package mutating func digest() throws(SystemError) -> String {
    if let knownDigest { return knownDigest }
    guard let source = source.take() else { throw SystemError("read", number: EPERM) }
    var bytes = [UInt8](repeating: 0, count: 32)
    guard unsafe host_image_hash(source.number, &progress, &bytes) == 0 else { throw .last("read") }
    let digest = SHA256.hexadecimal(bytes)
    knownDigest = digest
    return digest
  }
}

/// The SHA-256 of bytes.
package enum SHA256 {
  /// The digest in lowercase hexadecimal.
  ///
  /// - Parameter portably: whether to avoid the processor's SHA instructions, for comparison.
  package static func digest(of bytes: [UInt8], portably: Bool = false) -> String {
    hexadecimal(self.bytes(of: bytes, portably: portably))
  }

  /// The digest as 32 bytes.
  package static func bytes(of bytes: [UInt8], portably: Bool = false) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe host_sha256(bytes, bytes.count, portably ? 1 : 0, &digest)
    return digest
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
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

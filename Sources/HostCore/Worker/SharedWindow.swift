import Glibc
import HostShims

/// Memory that a worker writes and the host reads: what the plugin emitted, and how far it is.
///
/// It outlives the worker, so what a plugin emitted before it crashed is not lost. The host copies
/// bytes out before it looks at them, since the worker may change them at any time.
@safe final class SharedWindow {
  /// Room for emissions; more is handed over in parts.
  static let capacity = 1 << 20
  static let size = capacity + headerSize
  private static let headerSize = 64

  // The header: bytes that belong to finished steps (8), finished steps of this batch (8).
  private let memory: SharedMemory

  init(_ memory: consuming SharedMemory) { self.memory = memory }

  private var committed: UnsafeMutablePointer<UInt64> {
    unsafe memory.base.assumingMemoryBound(to: UInt64.self)
  }

  /// How much was written by finished steps, as the worker says: not more than there can be.
  var finishedBytes: Int {
    get { min(Int(clamping: unsafe host_load(committed)), Self.capacity) }
    set { unsafe host_store(committed, UInt64(newValue)) }
  }

  /// How many steps of the present batch are finished, as the worker says.
  var finishedSteps: Int {
    get { Int(clamping: unsafe host_load(committed + 1)) }
    set { unsafe host_store(committed + 1, UInt64(newValue)) }
  }

  /// Appends the first `count` bytes of the content.
  func copy(_ count: Int, to bytes: inout [UInt8]) {
    let content = unsafe UnsafeRawBufferPointer(start: memory.base + Self.headerSize, count: count)
    unsafe bytes.append(contentsOf: content)
  }

  func write(_ bytes: Span<UInt8>, at offset: Int) {
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe memcpy(memory.base + Self.headerSize + offset, start, source.count)
    }
  }
}

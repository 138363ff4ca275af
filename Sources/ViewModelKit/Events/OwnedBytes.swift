import PluginABI

/// Bytes at an address that doesn't change, for the host to read.
@safe final class OwnedBytes {
  private let memory: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8]) {
    unsafe memory = .allocate(capacity: bytes.count)
    _ = unsafe memory.initialize(from: bytes)
  }

  deinit { unsafe memory.deallocate() }

  /// Valid while this object lives.
  var view: vm_bytes { unsafe vm_bytes(data: memory.baseAddress, size: memory.count) }
}

import Glibc
import HostShims

/// Memory that host and worker both see, mapped here.
///
/// Its size is fixed for good, so that a worker can't cut it off under the host's feet. Its bytes
/// may change at any moment: read each only once, or copy first and then check the copy.
@safe package struct SharedMemory: ~Copyable {
  package let descriptor: FileDescriptor
  package let base: UnsafeMutableRawPointer
  package let count: Int

  /// Makes `count` zero bytes.
  package init(count: Int) throws(SystemError) {
    let number = host_shared_memory(count)
    guard number >= 0 else { throw .last("memfd_create") }
    try self.init(mapping: FileDescriptor(adopting: number), count: count)
  }

  /// Maps what the host made; the worker's side.
  package init(mapping descriptor: consuming FileDescriptor, count: Int) throws(SystemError) {
    let address = unsafe mmap(
      nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { throw .last("mmap") }
    self.descriptor = descriptor
    unsafe base = address
    self.count = count
  }

  deinit { unsafe munmap(base, count) }
}

import Glibc
import HostShims

/// Memory that the host and a worker share, mapped into this process.
///
/// Its size is fixed, so that a worker can't shrink it while the host uses it. Its bytes may change
/// at any moment. So read each byte only once, or copy the bytes first and then check the copy.
@safe package struct SharedMemory: ~Copyable {
  package let descriptor: FileDescriptor
  package let base: UnsafeMutableRawPointer
  package let count: Int

  /// Makes memory of `count` zero bytes.
  package init(count: Int) throws(SystemError) {
    let number = host_shared_memory(count)
    guard number >= 0 else { throw .last("memfd_create") }
    try self.init(mapping: FileDescriptor(adopting: number), count: count)
  }

  /// Maps the memory that the host made, in a worker.
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

import Glibc
import HostCore

// What a worker gets from its host, from the worker's side.

/// The two ends of a connection, to be adopted by whoever keeps them.
struct Connection {
  let host: Int32
  let worker: Int32

  init() throws(SystemError) {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw SystemError("socketpair", number: errno)
    }
    (host, worker) = (ends[0], ends[1])
  }
}

extension SharedMemory {
  /// Maps the same bytes once more.
  borrowing func mappedAgain() throws(SystemError) -> SharedMemory {
    let number = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw SystemError("fcntl", number: errno) }
    return try SharedMemory(mapping: FileDescriptor(adopting: number), count: count)
  }

  /// Changes bytes from `offset` on; what would lie beyond the end is left out.
  borrowing func write(_ bytes: [UInt8], at offset: Int) {
    for (index, byte) in bytes.enumerated() where offset + index < count {
      unsafe base.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
    }
  }

  /// A copy of `size` bytes from `offset` on, which must lie within.
  borrowing func read(_ size: Int, at offset: Int) -> [UInt8] {
    precondition(offset >= 0 && size >= 0 && offset + size <= count)
    return unsafe Array(UnsafeRawBufferPointer(start: base + offset, count: size))
  }
}

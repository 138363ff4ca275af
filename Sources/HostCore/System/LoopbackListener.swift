import Glibc
import HostShims

/// A socket that takes TCP connections from this machine, on a free port of 127.0.0.1.
package struct LoopbackListener: ~Copyable {
  /// Is ready for reading when there are connections.
  package let descriptor: FileDescriptor
  package let port: UInt16

  /// How many connections may wait until they are accepted. The system lowers it to its own limit.
  private static let maxWaiting: Int32 = 4096

  /// Makes the socket and listens with it.
  package static func open() throws(SystemError) -> LoopbackListener {
    let number = host_loopback_socket()
    guard number >= 0 else { throw .last("socket") }
    let socket = FileDescriptor(adopting: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let port = try bind(number, to: &address)
    guard listen(number, maxWaiting) == 0 else { throw .last("listen") }
    return LoopbackListener(descriptor: socket, port: port)
  }

  /// - Returns: the port that the system chose.
  private static func bind(
    _ number: Int32, to address: inout sockaddr_in
  ) throws(SystemError) -> UInt16 {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var failure: SystemError?
    unsafe withUnsafeMutableBytes(of: &address) { bytes in
      let generic = unsafe bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      if unsafe Glibc.bind(number, generic, size) != 0 {
        failure = .last("bind")
      } else if unsafe getsockname(number, generic, &size) != 0 {
        failure = .last("getsockname")
      }
    }
    if let failure { throw failure }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The next connection, as a nonblocking socket; nil if none is waiting.
  package func accept() throws(SystemError) -> FileDescriptor? {
    let number = host_accept(descriptor.number)
    if number >= 0 { return FileDescriptor(adopting: number) }
    let failure = SystemError.last("accept4")
    switch failure.number {
    // The client has given up, or a signal has come.
    case EAGAIN, ECONNABORTED, EINTR, EPROTO: return nil
    default: throw failure
    }
  }
}

extension Descriptor {
  /// Tells the other end of a socket that nothing more is sent. It can still send.
  package static func finishSending(_ number: Int32) {
    // This only fails if the other end is gone, and then nobody has to be told.
    _ = shutdown(number, Int32(SHUT_WR))
  }
}

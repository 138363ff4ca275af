import Glibc

/// A stream socket bound to a free port of 127.0.0.1, and that port.
func boundLoopbackSocket() throws -> (socket: Descriptor, port: UInt16) {
  let socket = try Descriptor(
    Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0), "a socket")
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let failed = unsafe withUnsafeMutableBytes(of: &address) { raw in
    let generic = unsafe raw.baseAddress!.assumingMemoryBound(to: sockaddr.self)
    return unsafe bind(socket.number, generic, size) != 0
      || getsockname(socket.number, generic, &size) != 0
  }
  if failed {
    throw TestSupportError("Could not bind a socket to 127.0.0.1: \(errorText(errno)).")
  }
  return (socket, UInt16(bigEndian: address.sin_port))
}

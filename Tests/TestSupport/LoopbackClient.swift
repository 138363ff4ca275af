import Foundation
import Glibc

/// A client's TCP connection to 127.0.0.1. It does only what a test tells it to.
package final class LoopbackClient {
  private static let limit = Duration.seconds(30)

  private let socket: Descriptor
  /// What was received and isn't taken yet.
  private var received = Data()

  /// - Parameter receiveBuffer: how many bytes the system keeps for a client that doesn't read.
  package init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    socket = try Descriptor(
      Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0), "a socket")
    if var size = receiveBuffer {
      _ = unsafe setsockopt(
        socket.number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    let failed = unsafe withUnsafeBytes(of: &address) { raw in
      let generic = unsafe raw.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return unsafe connect(socket.number, generic, socklen_t(raw.count)) != 0
    }
    if failed { throw TestSupportError("Could not connect to \(port): \(errorText(errno)).") }
    try socket.setNonBlocking()
  }

  /// Sends all bytes.
  ///
  /// - Returns: false if the other end is gone before it has taken them.
  @discardableResult
  package func send(_ bytes: [UInt8]) throws -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard pollDescriptors([(socket, POLLOUT)], within: Self.limit)[0] != 0 else {
        throw TestSupportError("\(rest.count) bytes weren't taken within \(Self.limit).")
      }
      let count = unsafe rest.withUnsafeBytes { raw in
        unsafe Glibc.send(socket.number, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EAGAIN {
        return false
      }
    }
    return true
  }

  @discardableResult
  package func send(_ text: String) throws -> Bool { try send(Array(text.utf8)) }

  /// Sends `bytes` over and over until the other end is gone, or `limit` bytes are sent.
  ///
  /// - Returns: whether the other end is gone.
  package func sendEndlessly(_ bytes: [UInt8], limit: Int) throws -> Bool {
    for _ in 0..<(limit / bytes.count) where try !send(bytes) { return true }
    return false
  }

  /// Ends what this end sends. It can still receive.
  package func finishSending() { _ = shutdown(socket.number, Int32(SHUT_WR)) }

  /// Makes the system drop the connection, with a reset, once this object goes.
  package func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      socket.number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Whether there is something to read, or the end.
  package var hasReceived: Bool { pollDescriptors([(socket, POLLIN)], within: .zero)[0] != 0 }

  /// Waits for bytes that end with `end`, and takes all up to there.
  package func read(until end: String) throws -> String {
    let end = Data(end.utf8)
    var searched = 0
    while true {
      if let found = received.range(of: end, in: searched..<received.count) {
        return String(decoding: take(found.upperBound), as: UTF8.self)
      }
      searched = max(received.count - end.count, 0)
      guard try receive() else {
        let text = String(decoding: received.suffix(2000), as: UTF8.self)
        throw TestSupportError("The connection ended after: \(text)")
      }
    }
  }

  /// Waits for `count` bytes, and takes them.
  package func read(count: Int) throws -> [UInt8] {
    while received.count < count {
      guard try receive() else {
        throw TestSupportError("The connection ended \(count - received.count) bytes too early.")
      }
    }
    return Array(take(count))
  }

  /// Takes all up to the end of the connection.
  package func readToEnd() throws -> String {
    while try receive() {}
    return String(decoding: take(received.count), as: UTF8.self)
  }

  private func take(_ count: Int) -> Data {
    defer { received = Data(received[count...]) }
    return received[..<count]
  }

  /// - Returns: false at the end of the connection, and if it was reset.
  private func receive() throws -> Bool {
    guard pollDescriptors([(socket, POLLIN)], within: Self.limit)[0] != 0 else {
      throw TestSupportError("Nothing more arrived within \(Self.limit).")
    }
    guard let bytes = socket.read(atMost: 1 << 18), !bytes.isEmpty else { return false }
    received += bytes
    return true
  }
}

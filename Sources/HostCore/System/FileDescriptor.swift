import Glibc
import HostShims

/// An open file descriptor that closes itself.
package struct FileDescriptor: ~Copyable {
  package let number: Int32

  /// Takes over `number`, which nobody else may close.
  package init(adopting number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// Opens a file for reading.
  package static func openForReading(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw .last("open") }
    return FileDescriptor(adopting: number)
  }

  /// Reads `count` bytes from `offset` on, or as many as there are.
  package borrowing func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    var failure: SystemError?
    let number = number
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let result = unsafe pread(number, buffer.baseAddress, count, offset)
      if result < 0 { failure = .last("pread") } else { initialized = result }
    }
    if let failure { throw failure }
    return bytes
  }

  /// A pipe that no child inherits unless told to.
  package static func pipe() throws(SystemError) -> Pipe {
    var ends: [Int32] = [0, 0]
    guard unsafe host_pipe(&ends) == 0 else { throw .last("pipe2") }
    return Pipe(
      reading: FileDescriptor(adopting: ends[0]), writing: FileDescriptor(adopting: ends[1]))
  }

  package struct Pipe: ~Copyable {
    package let reading: FileDescriptor
    package let writing: FileDescriptor
  }
}

/// Calls on descriptors that somebody else owns, such as standard in and out.
package enum Descriptor {
  package static let standardInput: Int32 = 0
  package static let standardOutput: Int32 = 1
  package static let standardError: Int32 = 2

  /// Reads up to `limit` bytes onto the end of `bytes`.
  ///
  /// - Returns: how many came; 0 at the end of the file; nil if there are none just now on a
  ///   descriptor that doesn't block.
  package static func read(
    _ number: Int32, limit: Int, into bytes: inout [UInt8]
  ) throws(SystemError) -> Int? {
    var result = 0
    var failure: SystemError?
    bytes.append(addingCapacity: limit) { (output: inout OutputSpan<UInt8>) in
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        repeat {
          unsafe result = Glibc.read(number, buffer.baseAddress! + initialized, limit)
        } while result < 0 && errno == EINTR
        if result < 0 { failure = .last("read") } else { initialized += result }
      }
    }
    guard let failure else { return result }
    if failure.number == EAGAIN { return nil }
    throw failure
  }

  /// Writes all of `bytes`, however many calls that takes.
  package static func write(_ number: Int32, _ bytes: Span<UInt8>) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      if let count = try writeSome(number, bytes.extracting(written..<bytes.count)) {
        written += count
      } else {
        // Whoever shares the descriptor has made it one that doesn't block.
        var room = [Interest(number, reading: false, writing: true)]
        try wait(for: &room, timeout: nil)
      }
    }
  }

  /// Writes as much as goes now.
  ///
  /// - Returns: how many bytes went, or nil if none can on a descriptor that doesn't block.
  package static func writeSome(
    _ number: Int32, _ bytes: Span<UInt8>
  ) throws(SystemError) -> Int? {
    var result = 0
    unsafe bytes.withUnsafeBytes { buffer in
      repeat {
        unsafe result = Glibc.write(number, buffer.baseAddress, buffer.count)
      } while result < 0 && errno == EINTR
    }
    if result >= 0 { return result }
    let failure = SystemError.last("write")
    if failure.number == EAGAIN { return nil }
    throw failure
  }

  /// Sends all of `bytes` over a socket. That nobody is at its other end is an error, where a write
  /// would be a signal that ends the process.
  package static func send(_ number: Int32, _ bytes: Span<UInt8>) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      if let count = try sendSome(number, bytes.extracting(sent..<bytes.count)) {
        sent += count
      } else {
        var room = [Interest(number, reading: false, writing: true)]
        try wait(for: &room, timeout: nil)
      }
    }
  }

  /// Sends as much as goes now.
  ///
  /// - Returns: how many bytes went, or nil if none can on a socket that doesn't block.
  package static func sendSome(
    _ number: Int32, _ bytes: Span<UInt8>
  ) throws(SystemError) -> Int? {
    var result = 0
    unsafe bytes.withUnsafeBytes { buffer in
      repeat {
        unsafe result = Glibc.send(
          number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      } while result < 0 && errno == EINTR
    }
    if result >= 0 { return result }
    let failure = SystemError.last("send")
    if failure.number == EAGAIN { return nil }
    throw failure
  }

  /// Opens `/dev/null` where standard in, out or error is closed, or the next file that is opened
  /// would take its place. Only for reading, so that what is printed fails, as it should.
  package static func openStandardOnes() throws(SystemError) {
    while true {
      let number = unsafe open("/dev/null", O_RDONLY)
      guard number >= 0 else { throw .last("open") }
      guard number <= standardError else {
        _ = close(number)
        return
      }
    }
  }

  /// Keeps standard out for the host: what plugins in this process print goes to standard error
  /// from now on, line by line, and not between the host's own lines.
  ///
  /// - Returns: a descriptor that leads to where standard out did, for as long as the process
  ///   lives.
  package static func divertStandardOutput() throws(SystemError) -> Int32 {
    let own = fcntl(standardOutput, F_DUPFD_CLOEXEC, 3)
    guard own >= 0 else { throw .last("fcntl") }
    guard dup2(standardError, standardOutput) >= 0 else { throw .last("dup2") }
    host_print_by_line()
    return own
  }

  package static func isTerminal(_ number: Int32) -> Bool { isatty(number) == 1 }

  /// Makes reads and writes return at once instead of waiting.
  package static func setNonBlocking(_ number: Int32) throws(SystemError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0 else { throw .last("fcntl") }
  }

  /// One descriptor to wait on, and afterwards what it is ready for.
  package struct Interest {
    package let number: Int32
    package let reading: Bool
    package let writing: Bool
    package fileprivate(set) var isReady = false

    package init(_ number: Int32, reading: Bool = true, writing: Bool = false) {
      self.number = number
      self.reading = reading
      self.writing = writing
    }
  }

  /// Waits until one of `interests` is ready, or `timeout` has passed (nil: for ever).
  package static func wait(
    for interests: inout [Interest], timeout: Nanoseconds?
  ) throws(SystemError) {
    var entries = interests.map { interest in
      pollfd(
        fd: interest.number,
        events: Int16((interest.reading ? POLLIN : 0) | (interest.writing ? POLLOUT : 0)),
        revents: 0)
    }
    let limit = timeout.map { max($0, 0) } ?? -1
    let result = unsafe host_poll(&entries, UInt64(entries.count), limit)
    if result < 0 && errno != EINTR { throw .last("ppoll") }
    for index in interests.indices {
      interests[index].isReady = result > 0 && entries[index].revents != 0
    }
  }
}

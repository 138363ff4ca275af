import Glibc
import HostShims

/// An open file descriptor that closes itself.
package struct FileDescriptor: ~Copyable {
  package let number: Int32

  /// Takes ownership of `number`. Nobody else may close it.
  package init(adopting number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// Opens a file for reading.
  package static func openForReading(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = unsafe path.withPath { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC) }
    guard number >= 0 else { throw .last("open") }
    return FileDescriptor(adopting: number)
  }

  /// Reads `count` bytes starting at `offset`, or fewer at the end of the file.
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

  /// Reads up to `count` bytes from where the descriptor is, or all up to the end.
  borrowing func beginning(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      // Most files are small, so the room for them grows with what was read.
      let part = min(count - bytes.count, max(1 << 14, min(bytes.count, 1 << 20)))
      guard let count = try Descriptor.read(number, limit: part, into: &bytes), count > 0
      else { break }
    }
    return bytes
  }

  /// Another descriptor of the same open file.
  borrowing func duplicate() throws(SystemError) -> FileDescriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .last("fcntl") }
    return FileDescriptor(adopting: copy)
  }

  /// Makes a pipe that child processes don't inherit by default.
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

/// Calls on descriptors that somebody else owns, such as standard input and output.
package enum Descriptor {
  package static let standardInput: Int32 = 0
  package static let standardOutput: Int32 = 1
  package static let standardError: Int32 = 2

  /// Reads up to `limit` bytes onto the end of `bytes`.
  ///
  /// - Returns: the number of bytes read; 0 at the end of the file; nil if a nonblocking descriptor
  ///   has none now.
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

  /// Writes all of `bytes`, in as many calls as that takes.
  package static func write(_ number: Int32, _ bytes: Span<UInt8>) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      if let count = try writeSome(number, bytes.extracting(written..<bytes.count)) {
        written += count
      } else {
        // Another process that shares the descriptor has made it nonblocking.
        var room = [Interest(number, reading: false, writing: true)]
        try wait(for: &room, timeout: nil)
      }
    }
  }

  /// Writes as much as the system takes now.
  ///
  /// - Returns: the number of bytes written, or nil if a nonblocking descriptor takes none now.
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

  /// Sends all of `bytes` over a socket. If its other end is closed, this throws an error, while a
  /// write would raise a signal that ends the process.
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

  /// Sends as much as the system takes now.
  ///
  /// - Returns: the number of bytes sent, or nil if a nonblocking socket takes none now.
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

  /// Opens `/dev/null` in place of a closed standard input, output or error. Otherwise the next
  /// file that is opened would get its number. It is opened only for reading, so that prints still
  /// fail.
  package static func openMissingStandardDescriptors() throws(SystemError) {
    while true {
      let number = unsafe open("/dev/null", O_RDONLY)
      guard number >= 0 else { throw .last("open") }
      guard number <= standardError else {
        _ = close(number)
        return
      }
    }
  }

  /// Keeps standard output for the host. From now on, plugins in this process print to standard
  /// error, line by line, and not between the host's own lines.
  ///
  /// - Returns: a descriptor of the original standard output. It stays open until the process ends.
  package static func divertStandardOutput() throws(SystemError) -> Int32 {
    let own = fcntl(standardOutput, F_DUPFD_CLOEXEC, 3)
    guard own >= 0 else { throw .last("fcntl") }
    guard dup2(standardError, standardOutput) >= 0 else { throw .last("dup2") }
    host_print_by_line()
    return own
  }

  package static func isTerminal(_ number: Int32) -> Bool { isatty(number) == 1 }

  /// Makes reads and writes on the descriptor return at once instead of waiting.
  package static func setNonBlocking(_ number: Int32) throws(SystemError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0 else { throw .last("fcntl") }
  }

  /// A descriptor to wait on, and whether it was ready afterwards.
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

  /// Waits until one of `interests` is ready or `timeout` has passed. Nil waits forever.
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

  /// Waits until there is something to read, without allocating memory.
  package static func waitToRead(_ number: Int32) throws(SystemError) {
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    if unsafe host_poll(&entry, 1, -1) < 0 && errno != EINTR { throw .last("ppoll") }
  }
}

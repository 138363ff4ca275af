import Glibc

/// A file descriptor that is closed when its owner goes, and is never inherited by a child.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32, _ what: String) throws {
    guard number >= 0 else {
      throw TestSupportError("Could not make \(what): \(errorText(errno)).")
    }
    self.number = number
  }

  deinit {
    _ = close(number)
  }

  static func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else {
      throw TestSupportError("Could not make a pipe: \(errorText(errno)).")
    }
    return (try Descriptor(ends[0], "a pipe"), try Descriptor(ends[1], "a pipe"))
  }

  func setNonBlocking() throws {
    guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0 else {
      throw TestSupportError("Could not set O_NONBLOCK on \(number): \(errorText(errno)).")
    }
  }

  /// Reads once; an empty array at the end of the stream, nil after an error.
  func read(atMost count: Int) -> [UInt8]? {
    var got = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      repeat {
        got = unsafe Glibc.read(number, buffer.baseAddress, count)
      } while got < 0 && errno == EINTR
      initialized = max(got, 0)
    }
    return got < 0 ? nil : bytes
  }

  /// Writes once; nil after an error.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    var count = 0
    repeat {
      count = unsafe bytes.withUnsafeBytes { raw in
        unsafe Glibc.write(number, raw.baseAddress, raw.count)
      }
    } while count < 0 && errno == EINTR
    return count < 0 ? nil : count
  }

  /// Sends all bytes to a socket; false when the peer is gone.
  func sendAll(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { raw in
        unsafe send(number, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

/// Waits until one of the descriptors is ready or the limit (nil: none) has passed; the events
/// seen.
func pollDescriptors(
  _ wanted: [(descriptor: Descriptor?, events: Int32)], within limit: Duration? = nil
) -> [Int32] {
  var entries = wanted.map {
    pollfd(fd: $0.descriptor?.number ?? -1, events: Int16($0.events), revents: 0)
  }
  let milliseconds = limit.map { Int32(clamping: Int64(max($0, .zero) / .milliseconds(1))) } ?? -1
  while unsafe poll(&entries, nfds_t(entries.count), milliseconds) < 0 && errno == EINTR {}
  return entries.map { Int32($0.revents) }
}

/// What `errno` means, in words.
func errorText(_ code: Int32) -> String {
  unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}

/// `pipe2`, which Swift's import of the C library leaves out. `pipe` and a later `FD_CLOEXEC` would
/// leak the ends into a child that another thread starts in between, which then never sees an end.
private let pipe2: @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32 = {
  guard let symbol = unsafe dlsym(nil, "pipe2") else {
    preconditionFailure("The C library has no pipe2.")
  }
  return unsafe unsafeBitCast(
    symbol, to: (@convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32).self)
}()

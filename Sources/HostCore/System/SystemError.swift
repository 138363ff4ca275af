import Glibc

/// A failed system call and the system's reason for the failure.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The `errno` of the failure.
  package let number: Int32
  /// The call that failed, as in "open".
  package let call: String

  package init(_ call: String, number: Int32) {
    self.call = call
    self.number = number
  }

  /// Makes an error from `errno`. Nothing may come between the failed call and this one.
  static func last(_ call: String) -> SystemError { SystemError(call, number: errno) }

  /// The system's message, such as "No such file or directory".
  package var reason: String { unsafe String(cString: strerror(number)) }

  package var description: String { "\(call): \(reason)" }

  package var isBrokenPipe: Bool { number == EPIPE }
  package var isExisting: Bool { number == EEXIST }
  package var isNotFound: Bool { number == ENOENT || number == ENOTDIR }
}

import Glibc

/// A failed system call: which one, and the system's own words for why.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The `errno` of the failure.
  package let number: Int32
  /// The call that failed, as in "open".
  package let call: String

  package init(_ call: String, number: Int32) {
    self.call = call
    self.number = number
  }

  /// Takes `errno` as the failed call left it, so this must be the very next thing to happen.
  static func last(_ call: String) -> SystemError { SystemError(call, number: errno) }

  /// The system's words, such as "No such file or directory".
  package var reason: String { unsafe String(cString: strerror(number)) }

  package var description: String { "\(call): \(reason)" }

  package var isBrokenPipe: Bool { number == EPIPE }
  package var isExisting: Bool { number == EEXIST }
  package var isNotFound: Bool { number == ENOENT || number == ENOTDIR }
}

import Glibc

/// A failed system call and the system's reason for the failure.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The `errno` of the failure.
  package let number: Int32
  /// The call that failed, as in "open".
  package let call: String
  /// A reason that says more than the system's message.
  private let detail: String?

  package init(_ call: String, number: Int32, detail: String? = nil) {
    self.call = call
    self.number = number
    self.detail = detail
  }

  /// The error of a file that has more than `limit` bytes.
  static func tooLarge(_ limit: Int) -> SystemError {
    let size = limit >> 20 > 0 ? "\(limit >> 20) MB" : "\(limit) bytes"
    return SystemError("read", number: EFBIG, detail: "it has more than \(size)")
  }

  /// Makes an error from `errno`. Nothing may come between the failed call and this one.
  static func last(_ call: String) -> SystemError { SystemError(call, number: errno) }

  /// Why it failed, such as "No such file or directory".
  package var reason: String { unsafe detail ?? String(cString: strerror(number)) }

  package var description: String { "\(call): \(reason)" }

  package var isBrokenPipe: Bool { number == EPIPE }
  package var isExisting: Bool { number == EEXIST }
  package var isNotFound: Bool { number == ENOENT || number == ENOTDIR }
  var isDenied: Bool { number == EACCES || number == EPERM }
}

import Glibc

/// A terminal in raw mode: every key arrives at once and unechoed, and Ctrl-C is a byte.
///
/// Output processing stays on, so that a `\n` from other code still starts a new line. `restore()`
/// brings back the former mode, and so does the end of the value's lifetime.
package struct RawTerminal: ~Copyable {
  private let descriptor: Int32
  private let formerMode: termios

  /// Switches the terminal behind `descriptor` to raw mode. The caller keeps the descriptor open.
  ///
  /// - Throws: `TerminalError` if it isn't a terminal, or its mode can't be set.
  package init(_ descriptor: Int32) throws(TerminalError) {
    var former = termios()
    guard unsafe tcgetattr(descriptor, &former) == 0 else {
      throw TerminalError(operation: "read the mode of the terminal", code: errno)
    }
    try Self.set(Self.raw(former), of: descriptor)
    self.descriptor = descriptor
    formerMode = former
  }

  /// Restores the terminal's former mode. Calling it again does no harm.
  package func restore() throws(TerminalError) {
    try Self.set(formerMode, of: descriptor)
  }

  /// A function that restores the terminal's former mode from any code that ends the process.
  package var restoration: @Sendable () -> Void {
    let former = formerMode
    let descriptor = descriptor
    return { try? Self.set(former, of: descriptor) }
  }

  deinit {
    // An error has no one to go to: the terminal is gone, or `restore()` has reported it.
    try? Self.set(formerMode, of: descriptor)
  }

  /// The columns of the terminal behind `descriptor`, or nil if it isn't a terminal or they aren't
  /// known.
  package static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    let status = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  private static func raw(_ former: termios) -> termios {
    var mode = former
    mode.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON)
    mode.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
    mode.c_cflag |= tcflag_t(CS8)
    unsafe withUnsafeMutableBytes(of: &mode.c_cc) { controls in
      unsafe controls[Int(VMIN)] = 1
      unsafe controls[Int(VTIME)] = 0
    }
    return mode
  }

  private static func set(_ mode: termios, of descriptor: Int32) throws(TerminalError) {
    var mode = mode
    while unsafe tcsetattr(descriptor, TCSADRAIN, &mode) != 0 {
      guard errno == EINTR else {
        throw TerminalError(operation: "set the mode of the terminal", code: errno)
      }
    }
  }
}

/// A failure to read or set the mode of a terminal.
package struct TerminalError: Error, Equatable, CustomStringConvertible {
  /// The operation that failed, as the end of "Could not …".
  package let operation: String
  /// The `errno` of the system call.
  package let code: Int32

  package var description: String {
    let reason = unsafe String(cString: strerror(code))
    return "Could not \(operation): \(reason)."
  }
}

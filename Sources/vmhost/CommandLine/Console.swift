import HostCore

/// Standard error.
enum Console {
  /// Writes text without hidden characters. If that fails, nobody can be told.
  static func complain(_ text: String) {
    let isTerminal = Descriptor.isTerminal(Descriptor.standardError)
    draw(text.shown(as: isTerminal ? .colouredMessages : .messages))
  }

  /// Writes text that moves the cursor.
  static func draw(_ text: String) {
    try? Descriptor.write(Descriptor.standardError, Array(text.utf8).span)
  }

  /// Prints the message of the failure that stopped a command, if it has one.
  static func complain(_ failure: Failure) {
    guard !failure.message.isEmpty else { return }
    let style = Style(
      isTerminal: Descriptor.isTerminal(Descriptor.standardError), variable: Environment.value)
    complain("\(style.error("vmhost:")) \(failure.message.terminalSafe)\n")
  }
}

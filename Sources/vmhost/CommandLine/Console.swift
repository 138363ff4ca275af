import HostCore

/// Standard error.
enum Console {
  /// Writes text as it is. Nobody is left to tell if that fails.
  static func complain(_ text: String) {
    try? Descriptor.write(Descriptor.standardError, Array(text.utf8).span)
  }

  /// Says what stopped a command, if there is something to say.
  static func complain(_ failure: Failure) {
    guard !failure.message.isEmpty else { return }
    let style = Style(
      isTerminal: Descriptor.isTerminal(Descriptor.standardError), variable: Environment.value)
    complain("\(style.error("vmhost:")) \(failure.message.terminalSafe)\n")
  }
}

import HostCore

/// The keys that are pressed, from a terminal in raw mode.
struct TestKeys {
  private var decoder = KeyDecoder()
  private var typed: [UInt8] = []
  private var characters: [Character] = []
  /// Whether the person has had enough: at Ctrl-C, Ctrl-D, and if the terminal has gone.
  private(set) var hasEnded = false

  var interest: Descriptor.Interest { Descriptor.Interest(Descriptor.standardInput) }

  /// Forgets what was typed before there was a question.
  mutating func discard() throws(SystemError) {
    var input = [Descriptor.Interest(Descriptor.standardInput)]
    try Descriptor.wait(for: &input, timeout: 0)
    if input[0].isReady { _ = try Descriptor.read(input[0].number, limit: 1 << 16, into: &typed) }
    typed = []
  }

  /// The next character; nil at Ctrl-C, Ctrl-D, a signal, and if the terminal has gone.
  mutating func next(_ signals: SignalWatch) throws(SystemError) -> Character? {
    while characters.isEmpty && !hasEnded {
      var interests = [Descriptor.Interest(Descriptor.standardInput), signals.interest]
      try Descriptor.wait(for: &interests, timeout: nil)
      guard !signals.hasCome else { return nil }
      if interests[0].isReady { read() }
    }
    return take()
  }

  /// The next character that has been read; nil if there is none.
  mutating func take() -> Character? { characters.isEmpty ? nil : characters.removeFirst() }

  /// Reads what has been typed.
  mutating func read() {
    // A terminal that has gone is an error on reading.
    let count = try? Descriptor.read(Descriptor.standardInput, limit: 4096, into: &typed)
    if count == nil || count == 0 { hasEnded = true }
    var bytes = typed[...]
    while let key = decoder.next(from: &bytes) {
      switch key {
      case .text(let text): characters += text
      case .enter: characters.append("\n")
      case .interrupt, .deleteOrEnd:
        hasEnded = true
        typed = []
        return
      default: break
      }
    }
    typed = Array(bytes)
  }
}

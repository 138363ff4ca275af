import Glibc
import HostCore
import TestSupport
import Testing

struct RawTerminalTests {
  @Test func `delivers keys at once, unechoed and untranslated, and restores the mode`() throws {
    let pseudoTerminal = try PseudoTerminal()
    let terminal = try pseudoTerminal.openTerminal()
    defer { close(terminal) }
    let former = mode(of: terminal)
    do {
      let raw = try RawTerminal(terminal)
      let keys = Array("a\r\u{3}\u{4}\u{11}\u{13}\u{1A}".utf8)
      try pseudoTerminal.write(keys)
      #expect(read(from: terminal) == keys)
      // Nothing was echoed, so the first that arrives is what the program writes; its line break
      // is still translated.
      send("x\n", to: terminal)
      _ = try pseudoTerminal.read(until: "\n")
      #expect(pseudoTerminal.transcript == Array("x\r\n".utf8))
      try raw.restore()
      try raw.restore()
      #expect(mode(of: terminal) == former)
    }
    #expect(mode(of: terminal) == former)
  }

  @Test func `restores the mode when it goes out of scope`() throws {
    let terminal = try PseudoTerminal().openedForTest()
    defer { close(terminal.descriptor) }
    let former = mode(of: terminal.descriptor)
    do {
      let raw = try RawTerminal(terminal.descriptor)
      #expect(mode(of: terminal.descriptor) != former)
      _ = consume raw
    }
    #expect(mode(of: terminal.descriptor) == former)
  }

  @Test func `refuses what is no terminal`() throws {
    let file = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(file) }
    #expect(RawTerminal.width(of: file) == nil)
    let error = #expect(throws: TerminalError.self) { _ = try makeRaw(file) }
    #expect(
      error?.description
        == "Could not read the mode of the terminal: Inappropriate ioctl for device.")
  }

  @Test func `knows the width of a terminal, also after it changed`() throws {
    let terminal = try PseudoTerminal(columns: 97, rows: 10).openedForTest()
    defer { close(terminal.descriptor) }
    #expect(RawTerminal.width(of: terminal.descriptor) == 97)
    try terminal.device.resize(columns: 40, rows: 10)
    #expect(RawTerminal.width(of: terminal.descriptor) == 40)
    try terminal.device.resize(columns: 0, rows: 0)
    #expect(RawTerminal.width(of: terminal.descriptor) == nil)
  }
}

private func makeRaw(_ descriptor: Int32) throws {
  _ = try RawTerminal(descriptor)
}

extension PseudoTerminal {
  fileprivate func openedForTest() throws -> (device: PseudoTerminal, descriptor: Int32) {
    (self, try openTerminal())
  }
}

/// The mode as bytes, because the C struct can't be compared.
private func mode(of terminal: Int32) -> [UInt8] {
  var mode = termios()
  #expect(unsafe tcgetattr(terminal, &mode) == 0)
  return unsafe withUnsafeBytes(of: mode) { unsafe Array($0) }
}

private func read(from descriptor: Int32) -> [UInt8] {
  var buffer = [UInt8](repeating: 0, count: 100)
  let count = unsafe read(descriptor, &buffer, buffer.count)
  return Array(buffer.prefix(max(count, 0)))
}

private func send(_ text: String, to descriptor: Int32) {
  let bytes = Array(text.utf8)
  #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
}

import Basics
import HostCore

/// Reads lines from a script or a pipe and carries them out, in order, up to the first error that
/// ends the session.
struct LineLoop: ~Copyable {
  private static let readSize = 1 << 18

  private var reader = LineReader()
  private var taker: LineTaker
  /// A step of a script that waits for the lines that may follow it directly.
  private var held: HeldLine?

  private struct HeldLine {
    let content: ScriptLine
    let bytes: [UInt8]
    let number: Int
    let seq: UInt64?
  }

  init(_ taker: LineTaker) { self.taker = taker }

  /// Carries out a whole script.
  mutating func run(script: [UInt8]) throws {
    reader.fill { $0 = script }
    try takeLines(atEnd: true, holdsSteps: true)
    try takeHeld()
    try taker.finishBatch()
  }

  /// Carries out lines from a descriptor until it ends or a signal comes.
  mutating func run(descriptor: Int32) throws {
    var hasEnded = false
    while !hasEnded && !taker.signals.hasCome {
      guard try taker.waitForInput(descriptor) else { continue }
      let count = try reader.fill { (bytes: inout [UInt8]) throws(SystemError) in
        try Descriptor.read(descriptor, limit: Self.readSize, into: &bytes)
      }
      hasEnded = count == 0
      try takeLines(atEnd: hasEnded)
      try taker.startIfIdle()
    }
    try taker.finishBatch()
  }

  /// - Parameter holdsSteps: whether `@storage` and `@plugin` directly after a step take effect
  ///   before it. A recorder writes them there, because it learns only within a step what the step
  ///   reads.
  private mutating func takeLines(atEnd: Bool, holdsSteps: Bool = false) throws {
    while !taker.isInterrupted {
      let line: ScriptLine
      do throws(ScriptError) {
        guard let next = try reader.next(atEnd: atEnd) else { return }
        line = next
      } catch {
        try takeHeld()
        let number = reader.number
        try reader.withLine { try taker.refuseBroken($0, error, number: number) }
        continue
      }
      if holdsSteps {
        if case .nothing = line { continue }
        if line.role != .beforeStep { try takeHeld() }
        if held == nil && line.role == .step {
          hold(line)
          continue
        }
      }
      let (number, seq) = (reader.number, reader.seq)
      try reader.withLine {
        try taker.take(line, $0, written: $0, number: number, seq: seq)
      }
    }
  }

  private mutating func hold(_ line: ScriptLine) {
    var bytes: [UInt8] = []
    reader.withLine { bytes.append($0) }
    held = HeldLine(content: line, bytes: bytes, number: reader.number, seq: reader.seq)
  }

  private mutating func takeHeld() throws {
    guard let line = held else { return }
    held = nil
    guard !taker.isInterrupted else { return }
    let bytes = line.bytes.span
    try taker.take(line.content, bytes, written: bytes, number: line.number, seq: line.seq)
  }
}

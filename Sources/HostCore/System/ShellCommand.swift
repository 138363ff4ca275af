/// A shell command that runs beside this process, and whose output is kept.
///
/// It runs in the current folder, in a process group of its own, and has no standard input.
package final class ShellCommand {
  package struct End: Sendable {
    package let isSuccess: Bool
    /// How it ended: "exit status 2", "signal 9".
    package let status: String
    /// Its output and errors, in the order in which they came.
    package let output: String
    package let duration: Nanoseconds
  }

  /// How much of the beginning, and of the end, of the output is kept. Errors stand in either.
  private static let kept = 1 << 15
  /// The time that it has to end by itself when it is stopped.
  private static let grace: Nanoseconds = 1_000_000_000

  private let process: ProcessHandle
  private let start = SystemClock.monotonic()
  private var hasMore = true
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  private var leftOut = 0

  package init(_ command: String) throws(SystemError) {
    process = try ProcessHandle(
      executable: "/bin/sh",
      arguments: ["-c", "exec /bin/sh -c \"$1\" </dev/null 2>&1", "sh", command])
    process.closeInput()
  }

  /// What to wait for before the next `take`.
  package var interests: [Descriptor.Interest] {
    (hasMore ? [Descriptor.Interest(process.output)] : []) + [process.ending]
  }

  /// Reads what it has written so far, without waiting.
  ///
  /// - Returns: how it ended; nil while it runs.
  package func take() throws(SystemError) -> End? {
    process.reapOrphans()
    var ending = [process.ending]
    try Descriptor.wait(for: &ending, timeout: 0)
    guard ending[0].isReady else {
      try read()
      return nil
    }
    // Something that it left behind may keep the pipe open, and could write for ever.
    for _ in 0..<Self.maxReads where hasMore { if try !read() { break } }
    let status = process.finish(within: 0)
    return End(
      isSuccess: process.exitStatus == 0, status: status, output: output,
      duration: SystemClock.monotonic() - start)
  }

  /// More than a pipe holds.
  private static let maxReads = 64

  /// - Returns: whether there was something to read.
  @discardableResult
  private func read() throws(SystemError) -> Bool {
    guard hasMore else { return false }
    var bytes: [UInt8] = []
    guard let count = try Descriptor.read(process.output, limit: 1 << 16, into: &bytes) else {
      return false
    }
    hasMore = count > 0
    let room = max(Self.kept - head.count, 0)
    head += bytes.prefix(room)
    tail += bytes.dropFirst(room)
    if tail.count > 4 * Self.kept { cutTail() }
    return hasMore
  }

  private func cutTail() {
    let surplus = max(tail.count - Self.kept, 0)
    leftOut += surplus
    tail.removeFirst(surplus)
  }

  private var output: String {
    cutTail()
    guard leftOut > 0 else { return String(decoding: head + tail, as: UTF8.self) }
    let first = head[...(head.lastIndex(of: 0x0a) ?? head.endIndex - 1)]
    let last = tail[(tail.firstIndex(of: 0x0a).map { $0 + 1 } ?? 0)...]
    let count = leftOut + head.count - first.count + tail.count - last.count
    return String(decoding: first, as: UTF8.self) + "… \(Count.of(count, "byte")) left out\n"
      + String(decoding: last, as: UTF8.self)
  }

  /// Ends it, with all that it has started.
  package func stop() {
    process.terminate()
    process.finish(within: Self.grace)
  }
}

import Glibc
import HostShims

/// A child process whose standard input and output are pipes to this process.
///
/// The child is in a group of its own, so that it doesn't get the terminal's Ctrl-C and the session
/// can end in order. It is killed when this process ends. Releasing the handle closes the pipes,
/// and kills and reaps a child that still runs, with its group.
package final class ProcessHandle {
  package let input: Int32
  package let output: Int32
  private let identifier: pid_t
  private let handle: FileDescriptor
  private var reaped = false
  /// The status with which it has exited; nil if it runs, or was ended by a signal.
  package private(set) var exitStatus: Int32?
  private var inputIsOpen = true

  /// Starts an executable with arguments. The child shares standard error with this process.
  ///
  /// - Throws: `SystemError` if the program can't be started, or there are too many open files.
  package init(executable: String, arguments: [String]) throws(SystemError) {
    let toChild = try FileDescriptor.pipe()
    let fromChild = try FileDescriptor.pipe()
    var process = pid_t()
    var number: Int32 = 0
    let failure = unsafe CStrings.withPointers(to: [executable] + arguments) { words in
      unsafe executable.withPath { path in
        var program = unsafe host_program(
          path: path, argv: words, envp: environ, input: toChild.reading.number,
          output: fromChild.writing.number)
        return unsafe host_spawn_program(&program, &process, &number)
      }
    }
    guard failure == 0 else { throw SystemError("spawn", number: failure) }
    identifier = process
    handle = FileDescriptor(adopting: number)
    // Both ends close with their pipe, so duplicates live on.
    input = fcntl(toChild.writing.number, F_DUPFD_CLOEXEC, 0)
    output = fcntl(fromChild.reading.number, F_DUPFD_CLOEXEC, 0)
    guard input >= 0, output >= 0 else { throw .last("fcntl") }
    // A provider that doesn't read must not stop the session.
    try Descriptor.setNonBlocking(input)
    try Descriptor.setNonBlocking(output)
  }

  /// Is ready once the child has ended.
  package var ending: Descriptor.Interest { Descriptor.Interest(handle.number) }

  /// Asks the child and all that it has started to end.
  package func terminate() { if !reaped { kill(-identifier, SIGTERM) } }

  /// Closes the child's standard input, which tells a provider that it is no longer needed.
  package func closeInput() {
    guard inputIsOpen else { return }
    inputIsOpen = false
    _ = close(input)
  }

  /// Closes the child's standard input and waits for the child to end. Kills it after `limit`.
  ///
  /// - Returns: a description of how it ended: "exit status 3", "signal 9".
  @discardableResult
  package func finish(within limit: Nanoseconds) -> String {
    closeInput()
    return reap(within: limit)
  }

  private func reap(within limit: Nanoseconds) -> String {
    guard !reaped else { return "ended before" }
    reaped = true
    if !hasEnded(within: limit) {
      guard kill(-identifier, SIGKILL) == 0 else { return "it can't be killed" }
    }
    var code: Int32 = 0
    var status: Int32 = 0
    guard unsafe host_reap(identifier, handle.number, 1, &code, &status) == 1 else {
      return "an unknown end"
    }
    if code == Int32(CLD_EXITED) { exitStatus = status }
    return code == Int32(CLD_EXITED) ? "exit status \(status)" : "signal \(status)"
  }

  /// Reaps processes that the child left behind, if this process adopts them.
  package func reapOrphans() { host_reap_orphans(identifier) }

  private func hasEnded(within limit: Nanoseconds) -> Bool {
    let end = SystemClock.monotonic() + limit
    var scrap: [UInt8] = []
    var outputIsOpen = true
    while true {
      // Its output is drained, since a full pipe would keep it from ending.
      var waiting = [Descriptor.Interest(handle.number)]
      if outputIsOpen { waiting.append(Descriptor.Interest(output)) }
      let left = max(end - SystemClock.monotonic(), 0)
      guard (try? Descriptor.wait(for: &waiting, timeout: left)) != nil else { return false }
      if waiting[0].isReady { return true }
      if waiting.count > 1 && waiting[1].isReady {
        scrap.removeAll(keepingCapacity: true)
        outputIsOpen = ((try? Descriptor.read(output, limit: 1 << 16, into: &scrap)) ?? 0) != 0
      } else if left == 0 {
        return false
      }
    }
  }

  deinit {
    closeInput()
    _ = reap(within: 0)
    _ = close(output)
  }
}

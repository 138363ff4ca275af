import Glibc
import HostShims

/// A child process whose standard input and output are pipes to this process.
///
/// Releasing the handle closes the pipes, and kills and reaps a child that still runs.
package final class ProcessHandle {
  package let input: Int32
  package let output: Int32
  private let identifier: pid_t
  private var reaped = false
  private var inputIsOpen = true

  /// Starts an executable with arguments. The child shares standard error with this process.
  ///
  /// - Throws: `SystemError` if the program can't be started, or there are too many open files.
  package init(executable: String, arguments: [String]) throws(SystemError) {
    let toChild = try FileDescriptor.pipe()
    let fromChild = try FileDescriptor.pipe()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, toChild.reading.number, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, fromChild.writing.number, 1)

    // In a group of its own, the child doesn't get the terminal's Ctrl-C, so the session can end in
    // order. The default signals undo what this process ignores.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var started = pid_t()
    let result = unsafe CStrings.withPointers(to: [executable] + arguments) { words in
      unsafe posix_spawnp(&started, executable, &actions, &attributes, words, environ)
    }
    guard result == 0 else { throw SystemError("posix_spawn", number: result) }
    identifier = started
    // Both ends close with their pipe, so duplicates live on.
    input = fcntl(toChild.writing.number, F_DUPFD_CLOEXEC, 0)
    output = fcntl(fromChild.reading.number, F_DUPFD_CLOEXEC, 0)
    guard input >= 0, output >= 0 else { throw .last("fcntl") }
    // A provider that doesn't read must not stop the session.
    try Descriptor.setNonBlocking(input)
    try Descriptor.setNonBlocking(output)
  }

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
    if !hasEnded(within: limit) { kill(-identifier, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? "exit status \((status >> 8) & 0xff)" : "signal \(signal)"
  }

  private func hasEnded(within limit: Nanoseconds) -> Bool {
    let number = host_pidfd_open(identifier)
    guard number >= 0 else { return false }
    let watched = FileDescriptor(adopting: number)
    let end = SystemClock.monotonic() + limit
    var scrap: [UInt8] = []
    var outputIsOpen = true
    while true {
      // Its output is drained, since a full pipe would keep it from ending.
      var waiting = [Descriptor.Interest(watched.number)]
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

import Foundation
import Glibc

/// A process that a test started. Its outputs are drained while it runs, so it never blocks on
/// them.
///
/// The calls that wait block the calling thread, each with a limit. When the last reference goes,
/// the process and what it started is killed and reaped.
package final class ChildProcess: Sendable {
  /// What the process gets as its standard input.
  package enum Input: Sendable {
    /// `/dev/null`.
    case null
    /// These bytes, then the end.
    case bytes([UInt8])
    /// This text as UTF-8, then the end.
    case text(String)
    /// An open pipe, for `write`, `writeLine` and `closeInput`.
    case pipe
  }

  /// All that the process wrote, and how it ended.
  package struct Output: Sendable {
    package let stdoutBytes: [UInt8]
    package let stderrBytes: [UInt8]
    package let status: ExitStatus

    package init(stdoutBytes: [UInt8], stderrBytes: [UInt8], status: ExitStatus) {
      self.stdoutBytes = stdoutBytes
      self.stderrBytes = stderrBytes
      self.status = status
    }

    /// Invalid UTF-8 is repaired; look at `stdoutBytes` where that matters.
    package var stdout: String { String(decoding: stdoutBytes, as: UTF8.self) }
    package var stderr: String { String(decoding: stderrBytes, as: UTF8.self) }
    /// Standard output without its line ends.
    package var lines: [String] { stdout.split(separator: "\n").map(String.init) }
  }

  package let processID: Int32
  private let executable: String
  private let streams: ChildStreams
  private let exit = Monitor<ExitStatus?>(nil)
  private let reaped = Monitor(false)
  private let waiter: JoinableThread

  /// Starts `executable` (a path). `environment` replaces the whole environment; nil keeps the
  /// tests' own. The child leads a process group of its own, with default signal handling.
  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    workingDirectory: String? = nil, input: Input = .pipe
  ) throws {
    self.executable = executable
    let pipes = try ChildStreams.Pipes(input: input)
    let processID = try spawn(
      executable, arguments, environment: environment ?? ProcessInfo.processInfo.environment,
      workingDirectory: workingDirectory, pipes: pipes)
    self.processID = processID
    do {
      streams = try ChildStreams(pipes, input: input)
      waiter = try JoinableThread { [exit] in
        let status = awaitExit(of: processID)
        exit.withLock { $0 = status }
      }
    } catch {
      _ = Glibc.kill(-processID, SIGKILL)
      _ = waitpid(processID, nil, 0)
      throw error
    }
  }

  deinit {
    end()
  }

  /// All tests start at once. Without a limit, hundreds of processes would share the processors,
  /// and each of them would take minutes.
  private static let places = AsyncSemaphore(
    2 * max(2, ProcessInfo.processInfo.activeProcessorCount))

  /// Runs `executable` to its end, off the calling thread; throws when it takes longer than
  /// `limit`.
  package static func run(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    workingDirectory: String? = nil, input: Input = .null, within limit: Duration = .seconds(60)
  ) async throws -> Output {
    await places.wait()
    defer { places.signal() }
    let child = try ChildProcess(
      executable, arguments, environment: environment, workingDirectory: workingDirectory,
      input: input)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Swift.Result { try child.wait(within: limit) })
      }
    }
  }

  /// Writes to the open pipe; throws when the process doesn't read, or has closed it.
  package func write(_ bytes: [UInt8], within limit: Duration = .seconds(60)) throws {
    try streams.write(bytes, to: executable, within: limit)
  }

  /// Writes one line, with its line end.
  package func writeLine(_ line: String) throws {
    try write(Array((line + "\n").utf8))
  }

  /// Ends the standard input of the process.
  package func closeInput() {
    streams.closeInput()
  }

  /// Waits for the next line of standard output, without its line end; nil at the end of the
  /// stream.
  package func readLine(within limit: Duration = .seconds(60)) throws -> String? {
    guard let line = streams.nextLine(within: limit) else {
      throw TestSupportError("\(executable) wrote no further line within \(limit). \(report())")
    }
    return line.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Waits until standard error contains `text`.
  package func waitForStderr(
    containing text: String, within limit: Duration = .seconds(60)
  ) throws {
    guard streams.waitForStderr(containing: text, within: limit) else {
      throw TestSupportError("\(executable) did not write \"\(text)\" to stderr. \(report())")
    }
  }

  /// Waits until the process has ended, for `limit` at most. Says whether it has.
  package func ends(within limit: Duration) -> Bool { exit.wait(within: limit) { $0 } != nil }

  /// Sends a signal to the process (not to what it started).
  package func kill(_ signal: Int32) {
    reaped.withLock { reaped in
      if !reaped { _ = Glibc.kill(processID, signal) }
    }
  }

  /// Waits until the process has ended and its outputs are drained. Closes an open standard input
  /// only when `closingInput`. After `limit` it kills the process and all that it started, and
  /// throws.
  @discardableResult
  package func wait(
    within limit: Duration = .seconds(60), closingInput: Bool = true
  ) throws -> Output {
    if closingInput { closeInput() }
    let start = ContinuousClock.now
    let status = exit.wait(within: limit) { $0 }
    let drained = streams.waitUntilDrained(within: limit - start.duration(to: .now))
    end()
    guard let status else {
      throw TestSupportError("\(executable) did not end within \(limit). \(report())")
    }
    guard drained else {
      throw TestSupportError(
        "\(executable) ended (\(status)), but a process that it started kept its output open "
          + "for \(limit). \(report())")
    }
    return Output(stdoutBytes: streams.stdout, stderrBytes: streams.stderr, status: status)
  }

  /// Kills what is left of the group, then reaps. The process stays a zombie until here, so neither
  /// its id nor its group's can mean another process meanwhile.
  private func end() {
    reaped.withLock { reaped in
      if reaped { return }
      _ = Glibc.kill(-processID, SIGKILL)
      waiter.join()
      streams.stop()
      _ = waitpid(processID, nil, 0)
      reaped = true
    }
  }

  private func report() -> String {
    let stdout = String(decoding: streams.stdout.suffix(4000), as: UTF8.self)
    let stderr = String(decoding: streams.stderr.suffix(4000), as: UTF8.self)
    return "stdout so far:\n\(stdout)\nstderr so far:\n\(stderr)"
  }
}

/// Waits for the end of a child without reaping it.
private func awaitExit(of processID: pid_t) -> ExitStatus {
  var info = unsafe siginfo_t()
  while unsafe waitid(P_PID, id_t(processID), &info, WEXITED | WNOWAIT) != 0 {
    precondition(errno == EINTR, "Could not wait for \(processID): \(errorText(errno)).")
  }
  let status = unsafe info._sifields._sigchld.si_status
  return unsafe info.si_code == Int32(CLD_EXITED) ? .exited(status) : .signaled(status)
}

import Glibc
import HostShims
import Synchronization

/// A worker process, with a socket to it and a pipe from its standard output and error.
///
/// A pidfd identifies it, which never refers to another process later. Releasing this object kills
/// and reaps the process.
package final class ConfinedProcess: Sendable {
  /// The program to start, with its arguments, environment and confinement.
  package struct Command: Equatable, Sendable {
    /// The running program, even if its file was replaced since it started.
    package static let sameProgram = "/proc/self/exe"

    package var executable: String
    /// The whole `argv`, starting with the name of the program.
    package var arguments: [String]
    package var environment: [String]
    /// The wanted layers. The ones between fork and exec are applied here, the others by the
    /// worker.
    package var layers: Set<ConfinementLayer>

    package init(
      executable: String = Command.sameProgram, arguments: [String],
      environment: [String] = Command.fixedEnvironment(),
      layers: Set<ConfinementLayer> = .all
    ) {
      self.executable = executable
      self.arguments = arguments
      self.environment = environment
      self.layers = layers
    }

    /// The variable that gives a `Set` the same order in every process.
    static let fixedHashing = "SWIFT_DETERMINISTIC_HASHING"

    /// The variable that makes a worker without confinement refuse threads.
    static let refusingThreads = "VMHOST_REFUSES_THREADS"

    /// The same few variables for every worker, so that a run depends on nothing else. The
    /// exception is the search path for libraries, which a plugin may need for loading.
    package static func fixedEnvironment(searchPath: [String] = []) -> [String] {
      [
        "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TZ=UTC",
        // A `Set` has the same order in every run.
        fixedHashing + "=1",
        // The backtracer starts another program. A worker can't, and would try forever.
        "SWIFT_BACKTRACE=enable=no",
      ] + (searchPath.isEmpty ? [] : ["LD_LIBRARY_PATH=" + searchPath.joined(separator: ":")])
    }
  }

  package let identifier: Int32
  package let socket: FileDescriptor
  /// Where its standard output can be read and, unless there is another pipe for it, its standard
  /// error, in the order in which it writes.
  package let output: FileDescriptor
  package let errors: FileDescriptor?
  /// The states of the layers that the host applies. The worker's own layers are pending.
  package let report: ConfinementReport
  /// How the host was confined when it started the process.
  package let host: Result<HostConfinement, ConfinementError>
  private let handle: FileDescriptor
  private let end = Mutex<ProcessEnd?>(nil)

  /// Starts a worker.
  ///
  /// - Parameters:
  ///   - image: becomes the worker's descriptor 4.
  ///   - memory: becomes the worker's descriptor 5.
  ///   - separatesErrors: whether standard error has a pipe of its own.
  /// - Throws: `SystemError` if the process can't be started.
  package init(
    _ command: Command, image: borrowing SealedImage, memory: borrowing SharedMemory,
    separatesErrors: Bool = false
  ) throws(SystemError) {
    let output = try FileDescriptor.pipe()
    let errors: FileDescriptor?
    let errorsEnd: FileDescriptor?
    if separatesErrors {
      let pipe = try FileDescriptor.pipe()
      errors = .some(pipe.reading)
      errorsEnd = .some(pipe.writing)
    } else {
      errors = nil
      errorsEnd = nil
    }
    let errorsNumber =
      switch errorsEnd {
      case let end?: end.number
      case nil: output.writing.number
      }
    var ends: [Int32] = [0, 0]
    guard unsafe host_socket_pair(&ends) == 0 else { throw .last("socketpair") }
    let own = FileDescriptor(adopting: ends[0])
    let theirs = FileDescriptor(adopting: ends[1])
    var results = ConfinementReport().results
    var process: Int32 = 0
    var number: Int32 = 0
    let failure = unsafe CStrings.withPointers(to: command.arguments) { arguments in
      unsafe CStrings.withPointers(to: command.environment) { environment in
        unsafe command.executable.withPath { path in
          var spawn = unsafe host_spawn(
            path: path, argv: arguments, envp: environment, output: output.writing.number,
            errors: errorsNumber, socket: theirs.number,
            image: image.descriptor.number, memory: memory.descriptor.number,
            layers: command.layers.mask)
          return unsafe host_spawn_worker(&spawn, &process, &number, &results)
        }
      }
    }
    guard failure == 0 else { throw SystemError("spawn", number: failure) }
    identifier = process
    handle = FileDescriptor(adopting: number)
    socket = own
    self.output = output.reading
    self.errors = errors
    report = ConfinementReport(results)
    // The host has time for this now: the worker's start takes longer than all that it does itself.
    host = Result { () throws(ConfinementError) in try HostConfinement() }
  }

  /// Tells the worker how to confine itself.
  func send(_ confinement: Confinement) {
    // If the worker has ended, the host sees that when it waits for the answer.
    try? Descriptor.send(socket.number, WorkerMessage(.confine, confinement.encoded).bytes.span)
  }

  /// Kills the process. Does nothing if it has ended.
  package func kill() {
    // This only fails if the process has ended, and then nothing is left to do.
    _ = host_pidfd_signal(handle.number, SIGKILL)
  }

  /// Asks the process for a backtrace, if it has a backtracer. The process may go on afterwards.
  package func requestBacktrace() {
    // As in `kill`, nothing is left to do if the process has ended.
    _ = host_pidfd_signal(handle.number, SIGQUIT)
  }

  /// Waits for the process to end, and kills it after `limit`.
  package func finish(within limit: Nanoseconds) -> ProcessEnd {
    if let end = end(within: limit) { return end }
    kill()
    return reap(waiting: true) ?? .unknown
  }

  /// Waits for the process to end. Returns nil if it hasn't ended after `limit`.
  package func end(within limit: Nanoseconds) -> ProcessEnd? {
    if let end = reap(waiting: false) { return end }
    var interests = [Descriptor.Interest(handle.number)]
    let deadline = SystemClock.monotonic() + limit
    repeat {
      let rest = max(deadline - SystemClock.monotonic(), 0)
      // If waiting fails, the process counts as one that doesn't end.
      guard (try? Descriptor.wait(for: &interests, timeout: rest)) != nil else { return nil }
    } while !interests[0].isReady && SystemClock.monotonic() < deadline
    return interests[0].isReady ? reap(waiting: true) ?? .unknown : nil
  }

  /// Reaps the process if it has ended. If `waiting`, waits for the end first.
  private func reap(waiting: Bool) -> ProcessEnd? {
    end.withLock { end in
      if end != nil { return end }
      var code: Int32 = 0
      var status: Int32 = 0
      switch unsafe host_reap(identifier, handle.number, waiting ? 1 : 0, &code, &status) {
      case 0: break
      case 1: end = code == Int32(CLD_EXITED) ? .exited(status) : .killed(signal: status)
      default: end = .unknown
      }
      return end
    }
  }

  deinit {
    // This does nothing to a process that was reaped: its pidfd refers to no process any more.
    kill()
    _ = reap(waiting: true)
  }
}

/// How a process ended.
package enum ProcessEnd: Equatable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case killed(signal: Int32)
  /// Somebody else reaped the process.
  case unknown

  package var description: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "signal \(signal) (\(Self.name(of: signal)))"
    case .unknown: "an unknown end"
    }
  }

  /// Whether the process ended itself, as Swift's runtime does after a fatal error.
  var isTrap: Bool {
    guard case .killed(let signal) = self else { return false }
    return signal == SIGILL || signal == SIGTRAP
  }

  /// The system's description, such as "Segmentation fault".
  private static func name(of signal: Int32) -> String {
    guard let text = unsafe strsignal(signal) else { return "unknown" }
    return unsafe String(cString: text)
  }
}

import Glibc

/// A terminal of its own for a test: the test holds the side that a person would sit at.
///
/// `start` runs a program in it. What the program writes is interpreted by `screen`, and it is
/// only read inside `read`, `wait` and `waitForExit`. A program that still runs at the end is
/// killed, with all that it started in the same process group, and reaped.
package final class PseudoTerminal {
  /// Why a test didn't get what it waited for.
  package enum Failure: Error, CustomStringConvertible {
    case systemCall(String, errno: Int32)
    case timedOut(waitingFor: String, screen: String)
    case ended(waitingFor: String, screen: String)

    package var description: String {
      switch self {
      case .systemCall(let name, let code):
        "\(name) failed: \(unsafe String(cString: strerror(code)))"
      case .timedOut(let wanted, let screen):
        "Timed out waiting for \(wanted). The screen:\n\(screen)"
      case .ended(let wanted, let screen):
        "The program ended before \(wanted). The screen:\n\(screen)"
      }
    }
  }

  /// How a program ended.
  package enum Exit: Equatable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  /// All that was written so far, interpreted.
  package private(set) var screen: TerminalScreen
  /// All that was written so far, as bytes.
  package private(set) var transcript: [UInt8] = []

  private let controller: Int32
  private let path: String
  private var matchedCount = 0
  private var child: Child?

  private struct Child {
    let process: pid_t
    /// Readable once the process has ended.
    let ended: Int32
    var exit: Exit?
  }

  package init(columns: Int = 80, rows: Int = 24) throws {
    controller = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    screen = TerminalScreen(columns: columns, rows: rows)
    guard controller >= 0 else {
      path = ""
      throw Failure.systemCall("open /dev/ptmx", errno: errno)
    }
    // What `unlockpt` and `ptsname` do, which Glibc's module doesn't show to Swift.
    var number: UInt32 = 0
    var lock: Int32 = 0
    guard unsafe ioctl(controller, LinuxConstant.setLock, &lock) == 0,
      unsafe ioctl(controller, LinuxConstant.getNumber, &number) == 0
    else {
      path = ""
      throw Failure.systemCall("ioctl on /dev/ptmx", errno: errno)
    }
    path = "/dev/pts/\(number)"
    try setSize(columns: columns, rows: rows)
  }

  /// Constants of the kernel and of Glibc that their Swift module leaves out.
  private enum LinuxConstant {
    /// TIOCSPTLCK and TIOCGPTN of `asm-generic/ioctls.h`.
    static let setLock: UInt = 0x4004_5431
    static let getNumber: UInt = 0x8004_5430
    /// POSIX_SPAWN_SETSID of `spawn.h`.
    static let spawnSetSession: Int32 = 0x80
  }

  deinit {
    if let child {
      if child.exit == nil {
        kill(-child.process, SIGKILL)
        _ = Self.reap(child.process)
      }
      close(child.ended)
    }
    if controller >= 0 { close(controller) }
  }

  // MARK: The program

  /// Runs a program in this terminal: it is its standard input, output and error, and its
  /// controlling terminal. `environment` is all that the program gets.
  package func start(
    _ executable: String, _ arguments: [String] = [],
    environment: [String: String] = ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color"]
  ) throws {
    precondition(child == nil, "this terminal already runs a program")
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a new session opens becomes its controlling one.
    unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    // The program starts with default signals, whatever the test runner ignores or blocks.
    let flags = LinuxConstant.spawnSetSession | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    var process = pid_t()
    let status = unsafe Self.withCStrings([executable] + arguments) { words in
      unsafe Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }.sorted()) { variables in
        unsafe posix_spawn(&process, executable, &actions, &attributes, words, variables)
      }
    }
    guard status == 0 else { throw Failure.systemCall("posix_spawn \(executable)", errno: status) }
    child = Child(process: process, ended: try Self.watch(process))
  }

  package func signal(_ number: Int32) {
    if let child, child.exit == nil { kill(child.process, number) }
  }

  /// Reads what the program still writes, and how it ended.
  package func waitForExit(deadline seconds: Double = 20) throws -> Exit {
    guard let child else { preconditionFailure("no program was started") }
    if let exit = child.exit { return exit }
    let deadline = Self.now + seconds
    while try !receive(orEndOf: child.ended, deadline, waitingFor: "its exit") {}
    while try receiveWhatIsThere() {}
    let exit = Self.reap(child.process)
    self.child?.exit = exit
    return exit
  }

  // MARK: Keys, size and screen

  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(controller, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw Failure.systemCall("write", errno: errno) }
      rest.removeFirst(count)
    }
  }

  /// Sets the size and tells the program by SIGWINCH.
  package func resize(columns: Int, rows: Int) throws {
    try setSize(columns: columns, rows: rows)
    screen.resize(columns: columns, rows: rows)
  }

  /// Reads until the bytes written since the last match hold `text`; returns what came before it.
  @discardableResult
  package func read(until text: String, deadline seconds: Double = 20) throws -> String {
    let wanted = Array(text.utf8)
    let deadline = Self.now + seconds
    while true {
      let fresh = transcript[matchedCount...]
      if let start = Self.index(of: wanted, in: fresh) {
        matchedCount = start + wanted.count
        return String(decoding: fresh[..<start], as: UTF8.self)
      }
      try receive(deadline, waitingFor: "\"\(text)\"")
    }
  }

  /// Reads until the screen is as wanted; `what` says how, for the failure.
  package func wait(
    for what: String, deadline seconds: Double = 20, until isReached: (TerminalScreen) -> Bool
  ) throws {
    let deadline = Self.now + seconds
    while !isReached(screen) { try receive(deadline, waitingFor: what) }
  }

  /// Opens the program's side of the terminal in this process; the caller closes it.
  package func openTerminal() throws -> Int32 {
    let descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.systemCall("open \(path)", errno: errno) }
    return descriptor
  }
}

// MARK: - Reading

extension PseudoTerminal {
  private func receive(_ deadline: Double, waitingFor what: String) throws {
    guard let ended = child?.ended else {
      _ = try receive(orEndOf: -1, deadline, waitingFor: what)
      return
    }
    if try receive(orEndOf: ended, deadline, waitingFor: what) {
      // It has ended; what it wrote before that counts.
      guard try receiveWhatIsThere() else { throw Failure.ended(waitingFor: what, screen: shown) }
    }
  }

  /// Waits for output and reads it; true when the process has ended instead.
  private func receive(
    orEndOf ended: Int32, _ deadline: Double, waitingFor what: String
  ) throws -> Bool {
    while true {
      let remaining = deadline - Self.now
      guard remaining > 0 else { throw Failure.timedOut(waitingFor: what, screen: shown) }
      var watched = [
        pollfd(fd: controller, events: Int16(POLLIN), revents: 0),
        pollfd(fd: ended, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&watched, 2, Int32(remaining * 1000) + 1)
      guard count >= 0 || errno == EINTR else { throw Failure.systemCall("poll", errno: errno) }
      guard count > 0 else { continue }
      if watched[0].revents & Int16(POLLIN) != 0 {
        if try receiveWhatIsThere() { return false }
      }
      if watched[1].revents != 0 { return true }
      // The program has closed its side but still runs; only its end is left to wait for.
      if watched[0].revents & Int16(POLLHUP) != 0 {
        var end = pollfd(fd: ended, events: Int16(POLLIN), revents: 0)
        guard ended >= 0, unsafe poll(&end, 1, Int32(remaining * 1000) + 1) > 0 else {
          throw Failure.ended(waitingFor: what, screen: shown)
        }
        return true
      }
    }
  }

  /// Reads once without waiting; false where nothing is there.
  private func receiveWhatIsThere() throws -> Bool {
    var watched = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&watched, 1, 0) > 0, watched.revents & Int16(POLLIN) != 0 else {
      return false
    }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe Glibc.read(controller, $0.baseAddress, $0.count)
    }
    // EIO is how a terminal says that its last user has gone.
    guard count >= 0 || errno == EIO else { throw Failure.systemCall("read", errno: errno) }
    guard count > 0 else { return false }
    transcript += buffer[..<count]
    screen.write(buffer[..<count])
    return true
  }

  private var shown: String { screen.lines.joined(separator: "\n") }

  private static func index(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard !wanted.isEmpty, bytes.count >= wanted.count else { return nil }
    return (bytes.startIndex...(bytes.endIndex - wanted.count)).first {
      bytes[$0] == wanted[0] && bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }
}

// MARK: - System calls

extension PseudoTerminal {
  private static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func setSize(columns: Int, rows: Int) throws {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    guard unsafe ioctl(controller, UInt(TIOCSWINSZ), &size) == 0 else {
      throw Failure.systemCall("ioctl TIOCSWINSZ", errno: errno)
    }
  }

  /// A descriptor that becomes readable when the process ends. The process stays to be reaped, so
  /// its id can't pass to another one meanwhile.
  private static func watch(_ process: pid_t) throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    // A socket pair, because it can be closed on exec from its first moment on: a program that
    // another test starts must not keep this end open.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw Failure.systemCall("socketpair", errno: errno)
    }
    let (ended, signal) = (ends[0], ends[1])
    startThread {
      var information = unsafe siginfo_t()
      while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0
        && errno == EINTR
      {}
      close(signal)
    }
    return ended
  }

  private static func reap(_ process: pid_t) -> Exit {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
  }

  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Work {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    let status = unsafe pthread_create(
      &thread, nil,
      { work in
        if let work = unsafe work {
          unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        }
        return nil
      }, work)
    precondition(status == 0, "pthread_create failed: \(status)")
    pthread_detach(thread)
  }

  /// Calls `body` with an array of C strings that ends with NULL.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    return unsafe copies.withUnsafeBufferPointer { pointers in
      guard let base = pointers.baseAddress else { preconditionFailure("an empty array") }
      return unsafe body(base)
    }
  }
}

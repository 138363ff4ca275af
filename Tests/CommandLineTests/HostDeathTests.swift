import Glibc
import HostCore
import HostShims
import TestSupport
import Testing

/// Hosts that somebody else ends: no worker or provider outlives its host by a second.
struct HostDeathTests {
  @Test(arguments: ["best-effort", "off"], [SIGKILL, SIGTERM, SIGINT])
  func `no worker outlives its host, though it never comes back`(
    _ mode: String, _ signal: Int32
  ) throws {
    let host = try Self.start(["echo.so", "hello.so", "brokenfixture.so"], mode)
    try host.writeLine("@open echo as echo")
    try host.writeLine("@open broken as broken {\"fault\":\"spin-in-send\"}")
    try host.writeLine("> echo.say 1")
    while try host.readLine() != "< echo.said 1" {}
    let workers = try Self.workers(of: host)
    try #require(workers.count == 3)
    try host.writeLine("> broken.go")
    try Worker.waitUntilBusy(workers)
    try Self.end(host, by: signal)
    try Self.expectEnd(of: workers)
    #expect(try host.wait().status == .signaled(signal))
  }

  @Test(arguments: ["best-effort", "off"], [SIGKILL, SIGTERM, SIGINT])
  func `no worker outlives its host, though it is still loading`(
    _ mode: String, _ signal: Int32
  ) throws {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let spinning = try FixtureLibrary.copy(of: "hostilefixture", choosing: "load:spin", in: folder)
    let host = try Self.start(["echo.so", spinning], mode)
    var workers: [Worker] = []
    while workers.count < 2 { workers = try Self.workers(of: host) }
    try Worker.waitUntilBusy(workers)
    try Self.end(host, by: signal)
    try Self.expectEnd(of: workers)
    #expect(try host.wait().status == .signaled(signal))
  }

  @Test(arguments: ["best-effort", "off"])
  func `no worker outlives its host, killed as it starts them`(_ mode: String) throws {
    for round in 0..<24 {
      let host = try Self.start(["echo.so", "hello.so", "brokenfixture.so"], mode)
      var workers: [Worker] = []
      while workers.count < 1 + round % 3 { workers = try Self.workers(of: host) }
      host.kill(SIGKILL)
      try Self.expectEnd(of: workers)
      #expect(try host.wait().status == .signaled(SIGKILL))
    }
  }

  @Test(arguments: [SIGKILL, SIGUSR1, SIGTERM])
  func `no provider outlives its host, though it ignores everything`(_ signal: Int32) throws {
    let host = try VMHostRun.start(
      Arguments.kit("effects") + [
        "--effect", "geo.locate=trap '' TERM HUP INT; echo ready >&2; exec sleep 1000",
      ])
    try host.writeLine("> locate {\"city\":\"Graz\"}\n+ idle")
    try host.waitForStderr(containing: "ready\n")
    let children = try Self.workers(of: host)
    try #require(children.count == 2)
    host.kill(signal)
    // After a signal that it handles, the host first gives the provider a second to end by itself.
    if signal == SIGTERM { #expect(try host.wait(closingInput: false).status == .signaled(signal)) }
    try Self.expectEnd(of: children)
    #expect(try host.wait().status == .signaled(signal))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `takes its workers along when it is told to end`(_ signal: Int32) throws {
    let host = try Self.start(["echo.so", "hello.so"], "best-effort")
    try host.writeLine("@open echo\n> say 1")
    #expect(try host.readLine() == "< said 1")
    let workers = try Self.workers(of: host)
    try #require(workers.count == 2)
    host.kill(signal)
    try Self.expectEnd(of: workers)
    let output = try host.wait(closingInput: false)
    #expect(output.stderr == "")
    #expect(output.status == .signaled(signal))
  }

  // MARK: Hosts

  /// Starts a session that a script opens, and in which a step may take for ever.
  private static func start(_ plugins: [String], _ mode: String) throws -> ChildProcess {
    let host = try VMHostRun.start(
      ["run", "--sandbox", mode, "--step-timeout", "1h"] + Arguments.text)
    for plugin in plugins { try host.writeLine("@plugin \(plugin)") }
    return host
  }

  /// Ends a host whose plugin doesn't come back: it listens to the second signal of a kind.
  private static func end(_ host: ChildProcess, by signal: Int32) throws {
    let process = try Worker(host.processID)
    repeat { host.kill(signal) } while try !process.hasEnded(within: 10_000_000)
  }

  /// The processes that a host started and that haven't ended.
  static func workers(of host: ChildProcess) throws -> [Worker] {
    let tasks = "/proc/\(host.processID)/task"
    var workers: [Worker] = []
    for task in try Files.names(in: tasks) {
      let list = try Worker.text("\(tasks)/\(task)/children")
      workers += try list.split(separator: " ").compactMap { Int32($0) }.map(Worker.init)
    }
    return workers
  }

  static func expectEnd(of workers: [Worker]) throws {
    let deadline = SystemClock.monotonic() + 1_000_000_000
    for worker in workers {
      let hasEnded = try worker.hasEnded(within: deadline - SystemClock.monotonic())
      #expect(hasEnded)
      if !hasEnded { worker.kill() }
    }
  }
}

/// A process that the tests didn't start, by a handle that never comes to mean another.
final class Worker {
  private let identifier: Int32
  private let handle: FileDescriptor

  init(_ identifier: Int32) throws {
    self.identifier = identifier
    handle = FileDescriptor(adopting: host_pidfd_open(identifier))
    try #require(handle.number >= 0, "\(identifier) is no process any more")
  }

  func hasEnded(within limit: Nanoseconds) throws -> Bool {
    var interests = [Descriptor.Interest(handle.number)]
    try Descriptor.wait(for: &interests, timeout: limit)
    return interests[0].isReady
  }

  /// Leaves nothing of a failed test behind.
  func kill() { _ = host_pidfd_signal(handle.number, SIGKILL) }

  /// Waits until one of them has computed for a while, as only an endless loop does.
  static func waitUntilBusy(_ workers: [Worker]) throws {
    let before = try workers.map { try $0.ticks }
    let deadline = SystemClock.monotonic() + 60_000_000_000
    while try !zip(workers, before).contains(where: { try $0.ticks >= $1 + 25 }) {
      try #require(SystemClock.monotonic() < deadline)
      for worker in workers { try #require(try !worker.hasEnded(within: 1_000_000)) }
    }
  }

  /// How long it has computed, in the system's units of 10 ms.
  private var ticks: Int {
    get throws {
      // "PID (NAME) STATE …": user time is the 14th field, system time the 15th.
      let text = try Self.text("/proc/\(identifier)/stat")
      let fields = text.drop { $0 != ")" }.split(separator: " ")
      return (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
    }
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path), as: UTF8.self)
  }
}

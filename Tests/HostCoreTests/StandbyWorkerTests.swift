import Synchronization
import TestSupport
import Testing

@testable import HostCore

/// Workers that start before it is known what they load.
@Suite struct StandbyWorkerTests {
  private let sandbox: Sandbox
  private let standby: StandbyWorker

  init() throws {
    var sandbox = Sandbox(worker: try BuildProducts.executable("vmhost"))
    standby = try StandbyWorker(sandbox)
    sandbox.standby = standby
    self.sandbox = sandbox
  }

  /// The process of the worker, if it is still there for this command.
  private func take(_ command: ConfinedProcess.Command) -> ConfinedProcess? {
    guard let worker = standby.take(command) else { return nil }
    return worker.process
  }

  @Test func `the first plugin gets the worker, and the next one its own`() throws {
    let path = try BuildProducts.library("echo")
    let first = try RemotePlugin(path: path, name: "echo.so", sandbox: sandbox)
    #expect(take(ConfinedProcess.Command(sandbox)) === nil)
    let second = try RemotePlugin(path: path, name: "echo.so", sandbox: sandbox)
    #expect([first, second].map(\.manifest.id) == ["echo", "echo"])
  }

  @Test func `a plugin whose worker is another gets none, and ends the one on standby`() {
    var other = ConfinedProcess.Command(sandbox)
    other.layers.remove(.namespaces)
    #expect(take(other) === nil)
    #expect(take(ConfinedProcess.Command(sandbox)) === nil)
  }

  @Test func `one that has ended is replaced`() throws {
    let end = standby.worker.withLock { $0?.process.finish(within: 0) }
    #expect(end == .killed(signal: 9))
    let path = try BuildProducts.library("echo")
    let plugin = try RemotePlugin(path: path, name: "echo.so", sandbox: sandbox)
    #expect(plugin.manifest.id == "echo")
  }

  @Test func `a worker that gets another version says its own`() throws {
    var command = ConfinedProcess.Command(sandbox)
    command.arguments[2] = "0"
    let memory = try SharedMemory(count: SharedBuffer.size)
    let process = try ConfinedProcess(command, image: SealedImage(), memory: memory)
    var channel = WorkerChannel(number: process.socket.number)
    let version: [UInt8] = [UInt8(WorkerMessage.version), 0, 0, 0]
    #expect(try channel.receive() == .message(WorkerMessage(.ready, version)))
    #expect(process.finish(within: 60_000_000_000) == .exited(70))
  }

  @Test(arguments: [
    WorkerMessage(.leaks), WorkerMessage(.confine), WorkerMessage(.confine, [1, 0, 0, 0]),
    WorkerMessage(.confine, [1, 0, 0, 0, 0x78]), nil,
  ])
  func `a worker that isn't told how to confine itself ends`(_ message: WorkerMessage?) throws {
    let worker = try #require(take(ConfinedProcess.Command(sandbox)))
    let bytes = message?.bytes ?? [0xff, 0xff, 0xff, 0xff, 0xff]
    try Descriptor.send(worker.socket.number, bytes.span)
    #expect(worker.finish(within: 60_000_000_000) == .exited(70))
  }

  @Test func `telling one that has ended how to confine itself is no error`() throws {
    let worker = try #require(take(ConfinedProcess.Command(sandbox)))
    worker.kill()
    #expect(worker.finish(within: 60_000_000_000) == .killed(signal: 9))
    worker.send(Confinement())
  }
}

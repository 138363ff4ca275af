import Glibc
import HostCore

/// Starts workers and ends them.
final class Soak {
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  enum Ending: CaseIterable {
    /// The host lets go of it: it is killed.
    case release
    case crash
    /// Somebody else kills it. What is sent to it then must not end this process by SIGPIPE, which
    /// has its default effect here, as in any program that embeds the host.
    case kill
    /// It loads no plugin.
    case refusal
    /// It never starts.
    case noProgram
    /// It doesn't come back, and is killed.
    case hang
  }

  /// In turn. A hang takes as long as its limit, so it is rare.
  static let endings: [Ending] =
    Array(repeating: [.release, .crash, .kill, .refusal, .noProgram], count: 20).joined()
    + [.hang]

  private let worker: String
  private let plugins: String
  private static let noLibrary = "no-library.so"

  init(worker: String, plugins: String) throws {
    self.worker = worker
    self.plugins = plugins
    let file = unsafe fopen(Self.noLibrary, "w")
    guard let file = unsafe file, unsafe fputs("no library\n", file) >= 0, unsafe fclose(file) == 0
    else { throw Failure("\(Self.noLibrary) could not be written") }
  }

  deinit { unsafe unlink(Self.noLibrary) }

  func run(_ index: Int) throws {
    let ending = Self.endings[index % Self.endings.count]
    switch ending {
    case .release: try echo { _ in }
    case .kill: try echo(thenKilledBy: SIGKILL)
    case .crash: try breakDown("crash-in-send", "crashed with signal 11 (Segmentation fault)")
    case .hang: try breakDown("hang-in-send", "hangs: it did not return within 50ms")
    case .refusal:
      try expectNoLoading(Self.noLibrary, worker: worker, "it is not a shared library")
    case .noProgram:
      try expectNoLoading("\(plugins)/libecho.so", worker: "/nowhere", "could not be started")
    }
  }

  // MARK: The endings

  private func echo(thenKilledBy signal: Int32) throws {
    try echo { plugin in
      let children = try Inventory.children()
      guard children.count == 1 else { throw Failure("\(children.count) children, not one") }
      guard Glibc.kill(children[0], signal) == 0 else { throw Failure("kill failed") }
      try expect(send("say", "2", to: plugin), "crashed with signal 9 (Killed)")
    }
  }

  /// Sends an input, expects its answer, and does `more` before it lets go.
  private func echo(_ more: (RemotePlugin) throws -> Void) throws {
    let plugin = try load("echo", limit: 30_000_000_000)
    try open("echo", "{}", in: plugin)
    try expect(send("say", "1", to: plugin), "1")
    try more(plugin)
  }

  private func breakDown(_ fault: String, _ words: String) throws {
    let limit: Nanoseconds = fault == "hang-in-send" ? 50_000_000 : 30_000_000_000
    let plugin = try load("brokenfixture", limit: limit)
    try open("broken", "{\"fault\":\"\(fault)\"}", in: plugin)
    try expect(send("go", "", to: plugin), words)
  }

  private func expectNoLoading(_ path: String, worker: String, _ words: String) throws {
    do throws(PluginLoadError) {
      _ = try RemotePlugin(
        path: path, name: "plugin.so", sandbox: Sandbox(worker: worker))
    } catch {
      guard error.description.contains(words) else { throw Failure(error.description) }
      return
    }
    throw Failure("\(path) loaded in \(worker)")
  }

  // MARK: What a session would do

  private func load(_ library: String, limit: Nanoseconds) throws -> RemotePlugin {
    var limits = StepLimits()
    limits.time = limit
    return try RemotePlugin(
      path: "\(plugins)/lib\(library).so", name: "\(library).so", limits: limits,
      sandbox: Sandbox(worker: worker))
  }

  private func open(_ viewModel: String, _ config: String, in plugin: RemotePlugin) throws {
    var specification = InstanceSpecification(viewModel: viewModel)
    specification.config = Array(config.utf8)
    var emissions = EventBatch()
    plugin.create(specification, as: 0, into: &emissions)
    if let last = emissions.records.last, last.kind != .output {
      throw Failure("\(viewModel) did not open: \(emissions.value(of: last))")
    }
  }

  /// The value of the last event that comes back.
  private func send(_ input: String, _ value: String, to plugin: RemotePlugin) -> String {
    var batch = EventBatch()
    var record = EventBatch.Record(kind: .input, instance: 0)
    record.port = 0
    batch.append(record, name: Array(input.utf8).span, value: Array(value.utf8).span)
    var emissions = EventBatch()
    _ = plugin.deliver(batch, from: 0, into: &emissions)
    return emissions.records.last.map { emissions.value(of: $0) } ?? ""
  }

  private func expect(_ found: String, _ expected: String) throws {
    guard found.hasPrefix(expected) else { throw Failure("\(expected) expected, got \(found)") }
  }
}

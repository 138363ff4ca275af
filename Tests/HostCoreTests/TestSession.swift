import CanonicalJSON
import Glibc
import HostCore
import TestSupport
import Testing

/// Tests that load plugins into this process, one after another: calls into a library must never
/// overlap, and all tests share the libraries.
@Suite(.serialized) struct InProcessTests {}

/// A session over plugins, which says what happens in lines of text.
final class TestSession {
  /// Where its plugins run.
  enum Place: CaseIterable, Sendable {
    case here
    /// Each in a confined process of its own.
    case worker
  }

  let session: SessionEngine
  /// Those in this process.
  private(set) var plugins: [LocalPlugin] = []
  private var batch = InputBatch()

  /// - Parameter libraries: built ones, such as `echo`.
  init(
    _ libraries: String..., in place: Place = .here, options: SessionEngine.Options = .init(),
    storage: any StorageBackend = MemoryStorage(), secrets: Secrets = Secrets(),
    limits: StepLimits = StepLimits()
  ) throws {
    var options = options
    options.limits = limits
    session = SessionEngine(options: options, storage: storage, secrets: secrets)
    for library in libraries {
      let path = try BuildProducts.library(library)
      let name = "\(library).so"
      switch place {
      case .here:
        let plugin = try LocalPlugin(path: path, name: name, limits: limits)
        plugins.append(plugin)
        try session.add(plugin, named: name)
      case .worker:
        let plugin = try RemotePlugin(
          path: path, name: name, limits: limits, sandbox: try Self.sandbox)
        try session.add(plugin, named: name)
      }
    }
  }

  /// What confines workers that tests start.
  static var sandbox: Sandbox {
    get throws { Sandbox(.bestEffort, worker: try BuildProducts.executable("vmhost")) }
  }

  /// Opens an instance of `broken`, and forgets its first frame.
  static func broken(
    fault: String = "", in place: Place = .here, limits: StepLimits = StepLimits(),
    storage: any StorageBackend = MemoryStorage(), options: SessionEngine.Options = .init()
  ) throws -> TestSession {
    let session = try TestSession(
      "brokenfixture", in: place, options: options, storage: storage, limits: limits)
    try session.open("broken", config: "{\"fault\":\"\(fault)\"}")
    return session
  }

  @discardableResult
  func open(_ id: String, as handle: String? = nil, config: String? = nil) throws -> [String] {
    try session.open(
      id, as: handle, config: try config.map { try JSONValue(parsing: Array($0.utf8).span) })
    return events()
  }

  /// Queues an input without delivering it.
  func queue(
    _ name: String, _ value: String = "", to handle: String? = nil, tag: UInt64 = 0
  ) throws {
    let instance = try handle.map(session.instance) ?? #require(session.instances.first)
    let port = try #require(instance.viewModel.inputs.firstIndex { $0.name == name })
    let bytes = Array(value.utf8)
    while !session.add(to: &batch, instance, port, value: bytes.span, tag: tag) { try flush() }
  }

  /// Delivers what was queued.
  func flush() throws {
    try session.deliver(&batch)
  }

  /// Delivers an input and gives what comes of it.
  @discardableResult
  func send(
    _ name: String, _ value: String = "", to handle: String? = nil
  ) throws -> [String] {
    try queue(name, value, to: handle)
    try flush()
    return events()
  }

  /// Makes an instance of `broken` emit events, each written as "KIND ID NAME JSON".
  @discardableResult
  func emit(_ lines: String..., from handle: String? = nil) throws -> [String] {
    let text = JSONValue.string(lines.joined(separator: "\n")).canonicalText
    return try send("emit", text, to: handle)
  }

  @discardableResult
  func advance(to time: Nanoseconds, firingAtMost limit: Int = .max) throws -> [String] {
    try session.advance(to: time, firingAtMost: limit)
    return events()
  }

  @discardableResult
  func reply(_ id: UInt64, _ value: String, to handle: String? = nil) throws -> [String] {
    let instance = try handle.map(session.instance) ?? #require(session.instances.first)
    try session.reply(to: instance, id, value: Array(value.utf8).span)
    return events()
  }

  /// Takes what has happened, a line for each event, the instance named where there are several.
  func events() -> [String] {
    defer { session.events.removeAll() }
    return session.events.records.map { record in
      let handle = session.instances.count > 1 ? "\(session.handle(of: record))." : ""
      let name = session.events.name(of: record)
      let value = record.value.isEmpty ? "" : " \(session.events.value(of: record))"
      return switch record.kind {
      case .output: "< \(handle)\(name)\(value)"
      case .request: "? \(handle)\(record.id) \(name)\(value)"
      case .cancel: "x \(handle)\(record.id) \(name)"
      case .opened: "# opened \(session.handle(of: record)): \(name)"
      case .closed: "# closed \(session.handle(of: record))"
      default: "# \(handle)\(name)\(value)"
      }
    }
  }

  func frame(of handle: String) throws -> [String] {
    try session.instance(handle).frame.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// What a session says about something that fails.
func words(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "it worked"
  } catch { return "\(error)" }
}

/// The least by which the process's memory grows in one of some rounds, in bytes. A leak shows in
/// every round, what is only kept for later doesn't.
func leastGrowth(in rounds: Range<Int>, _ body: (Int) throws -> Void) throws -> Int {
  var least = Int.max
  for round in rounds {
    let before = try residentMemory()
    try body(round)
    least = min(least, try residentMemory() - before)
  }
  return least
}

/// The memory that the process has now, in bytes.
private func residentMemory() throws -> Int {
  let text = String(decoding: try Files.read("/proc/self/statm"), as: UTF8.self)
  let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  return pages * sysconf(Int32(_SC_PAGESIZE))
}

import CanonicalJSON
import Foundation
import HostCore
import Synchronization
import TestSupport

/// One life of a hostile plugin in a worker: it is loaded, an instance is opened, gets an input
/// and is closed. What a user sees of that.
struct HostileRun: Sendable {
  /// Where hangs are expected the limit is short, since some of them spin that long. The time in
  /// which a worker waits for a processor doesn't count.
  static let shortTime: Nanoseconds = 200_000_000
  static let shortWords = "hangs: it did not return within 200ms"

  /// The built library's name without its ending.
  var library = "hostilefixture"
  /// What errors call it.
  var name = "hostile.so"
  var layers: Set<ConfinementLayer>
  var isHanging = false

  struct Result {
    var printed: [String] = []
    var events: [String] = []
    /// The first line of the error.
    var error: String?
    /// Of the worker, by its own words.
    var process: Int32?
  }

  /// - Parameter act: as in `read-file` or `read-file:/etc/passwd`.
  func callAsFunction(_ act: String, in phase: HostilePhase) throws -> Result {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let choice = phase.isOfInstance ? "nothing yet" : "\(phase.rawValue):\(act)"
    let path = try FixtureLibrary.copy(of: library, choosing: choice, in: folder)
    var result = Result()
    let config = phase.isOfInstance ? "{\"act\":\"\(phase.rawValue):\(act)\"}" : nil
    do {
      try live(path, config, loadsForLong: phase.isOfInstance, &result)
    } catch let error as PluginLoadError {
      result.error = error.description
      result.printed = error.printed
    } catch let error as SessionError {
      result.error = error.description
    }
    // What the worker says of its own end, beside what the host has seen, is for other tests.
    let ending = #/: it called \w+, and a plugin doesn't end its process; throw an error/#
    let doing = #/^vmhost: while [^,]*, it /#
    let headline = result.error?.split(separator: "\n").first
    result.error = headline.map { String($0.replacing(ending, with: "")) }
    result.printed = result.printed.map {
      // A flood has ten thousand lines.
      $0.hasPrefix("vmhost: ") ? $0.replacing(doing, with: "vmhost: it ") : $0
    }
    if let line = result.printed.firstIndex(where: { $0.hasPrefix("pid ") }) {
      result.process = Int32(result.printed.remove(at: line).dropFirst(4))
    }
    return result
  }

  private func live(
    _ path: String, _ config: String?, loadsForLong: Bool, _ result: inout Result
  ) throws {
    var limits = StepLimits()
    // Not the default: a loaded machine may take its time over what is no hang.
    limits.time = isHanging ? Self.shortTime : 60_000_000_000
    limits.loadTime = loadsForLong ? 60_000_000_000 : limits.time
    let sandbox = Sandbox(
      .bestEffort, layers: layers, worker: try BuildProducts.executable("vmhost"))
    let session = SessionEngine(options: .init(), storage: MemoryStorage())
    let plugin = try RemotePlugin(
      path: path, name: name, limits: limits, sandbox: sandbox)
    try session.add(plugin, named: name)
    let object = try config.map { try JSONValue(parsing: Array($0.utf8).span) }
    defer {
      result.printed = Self.values(of: session) { $0.isOf(.print) }.map(\.value)
      let events = Self.values(of: session) { !$0.isOf(.print) }
      result.events = events.map { "< \($0.name) \($0.value)" }
    }
    try session.open("acting", config: object)
    var batch = InputBatch()
    let instance = try session.instance("acting")
    _ = session.add(to: &batch, instance, 0, value: [UInt8]().span, tag: 0)
    try session.deliver(&batch)
    try session.finish()
  }

  private static func values(
    of session: SessionEngine, where isWanted: (EventBatch.Record) -> Bool
  ) -> [(name: String, value: String)] {
    session.events.records.filter(isWanted).map {
      (session.events.name(of: $0), session.events.value(of: $0))
    }
  }
}

/// Does `body` for each case on some threads, because workers are processes and hangs are waits.
///
/// - Returns: what `body` found wrong, in the order of the cases.
func inLanes<Case: Sendable>(
  _ cases: [Case], lanes: Int = 12, _ body: @escaping @Sendable (Case) throws -> [String]
) throws -> [String] {
  let next = Atomic<Int>(0)
  let found = Mutex<[(Int, [String])]>([])
  let work: @Sendable () -> Void = {
    while true {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < cases.count else { return }
      let words: [String]
      do { words = try body(cases[index]) } catch { words = ["\(cases[index]): threw \(error)"] }
      found.withLock { $0.append((index, words)) }
    }
  }
  let threads = try (0..<lanes).map { _ in try JoinableThread(work) }
  for thread in threads { thread.join() }
  return found.withLock { $0 }.sorted { $0.0 < $1.0 }.flatMap(\.1)
}

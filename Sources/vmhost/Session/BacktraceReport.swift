import HostCore

/// `--backtrace`: records the events of plugins, and replays them to show where a plugin crashed or
/// hung.
final class BacktraceReport {
  private let limits: StepLimits
  private let sandbox: Sandbox
  private let secrets: Secrets
  private let lock: PluginLock?
  private var recordings: [(connection: RecordingConnection, path: String, name: String)] = []
  private var failedLoad: CrashReplay?

  init(limits: StepLimits, sandbox: Sandbox, secrets: Secrets, lock: PluginLock?) {
    self.lock = lock
    self.limits = limits
    self.sandbox = sandbox
    self.secrets = secrets
  }

  /// Loads a plugin, and records its events from then on.
  func record(
    _ path: String, _ name: String, _ load: () throws(PluginLoadError) -> RemotePlugin
  ) throws(PluginLoadError) -> any PluginConnection {
    do throws(PluginLoadError) {
      let connection = RecordingConnection(try load())
      recordings.append((connection, path, name))
      return connection
    } catch {
      failedLoad = CrashReplay(of: error, path: path, lock: lock)
      throw error
    }
  }

  /// Replays the events, and prints the backtrace to standard error.
  func show() {
    guard let replay else {
      return Console.complain("vmhost: no backtrace: the plugin neither crashed nor hung.\n")
    }
    show(replay)
  }

  /// The replay for the plugin that ended the session by a crash or a hang; nil if there is none.
  private var replay: CrashReplay? {
    failedLoad
      ?? recordings.lazy.compactMap { [lock] in
        CrashReplay(of: $0.connection, path: $0.path, name: $0.name, lock: lock)
      }.first
  }

  private func show(_ replay: CrashReplay) {
    do throws(BacktraceError) {
      let backtracer = try Backtracer(
        settings: Environment.value("SWIFT_BACKTRACE"), root: Environment.value("SWIFT_ROOT"),
        beside: (try? Files.executableFolder()) ?? ".", interruptsHangs: replay.failure == .hang)
      let what =
        switch replay.eventCount {
        case 0: "the loading of the plugin"
        case 1: "1 event"
        case let count: "\(count) events"
        }
      Console.complain("vmhost: replaying \(what) without confinement for a backtrace …\n")
      for line in try replay.run(backtracer, limits: limits, after: sandbox) {
        Console.complain(secrets.redacted(line) + "\n")
      }
    } catch {
      Console.complain("vmhost: \(secrets.redacted(error.description))\n")
    }
  }
}

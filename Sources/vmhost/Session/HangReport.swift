import Basics
import HostCore
import Synchronization

/// Ends the process with clear words when a plugin doesn't come back from a call.
///
/// In process there is no other way: the plugin has our thread.
final class HangReport: Sendable {
  private let output: Output
  private let limit: Nanoseconds
  private let restoration = Mutex<(@Sendable () -> Void)?>(nil)

  init(output: Output, limit: Nanoseconds) {
    self.output = output
    self.limit = limit
  }

  /// What gives the terminal back before the process ends.
  func restoreTerminal(with restore: @escaping @Sendable () -> Void) {
    restoration.withLock { $0 = restore }
  }

  /// Loads a plugin into this process, and watches it from then on.
  func load(_ path: String, _ name: String, _ limits: StepLimits) throws -> LocalPlugin {
    let plugin = try LocalPlugin(path: path, name: name, limits: limits)
    try watch(plugin)
    return plugin
  }

  private func watch(_ plugin: LocalPlugin) throws(SystemError) {
    let monitor = plugin.monitor
    let id = plugin.manifest.id
    try Watchdog.watch(monitor, limit: limit) { [self] step in
      // A failed write changes nothing about what has to be said and done now.
      try? output.flush()
      restoration.withLock { $0?() }
      Console.complain(
        "vmhost: the plugin \"\(id)\" hangs: it did not come back from \(monitor.words(for: step))"
          + " within \(TimeSpan.text(limit)). The session is over.\n")
      Exit.now(Outcome.brokenPlugin.status)
    }
  }
}

import HostCore
import Synchronization

/// Ends the process with a message when a plugin in this process hangs.
///
/// There is no other way, since the plugin occupies our thread.
final class HangReport: Sendable {
  private let watchdog: Watchdog
  private let output: Output
  /// What the hang means for the user, as a sentence; empty if that is obvious.
  private let consequence: String
  private let restoration = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ watchdog: Watchdog, output: Output, consequence: String = "The session is over.") {
    self.watchdog = watchdog
    self.output = output
    self.consequence = consequence
  }

  /// Sets what restores the terminal before the process ends.
  func restoreTerminal(with restore: @escaping @Sendable () -> Void) {
    restoration.withLock { $0 = restore }
  }

  func watch(_ monitor: StepMonitor) throws(SystemError) {
    try watchdog.watch(monitor) { [self] message in
      // The process ends anyway, even if this write fails.
      try? output.flush()
      restoration.withLock { $0?() }
      Console.complain("vmhost: \(message)\(consequence.isEmpty ? "" : " ")\(consequence)\n")
      Exit.now(Outcome.brokenPlugin.status)
    }
  }
}

extension LocalPlugin {
  /// Loads a plugin into this process.
  ///
  /// - Parameter watch: gets the plugin's monitor before the plugin is loaded.
  static func load(
    _ path: String, _ name: String, _ limits: StepLimits, watch: (StepMonitor) throws -> Void
  ) throws -> LocalPlugin {
    let monitor = StepMonitor(plugin: name)
    try watch(monitor)
    return try LocalPlugin(path: path, name: name, limits: limits, monitor: monitor)
  }
}

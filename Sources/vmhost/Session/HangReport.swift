import HostCore
import Synchronization

/// Ends the process with clear words when a plugin doesn't come back from a call.
///
/// In process there is no other way: the plugin has our thread.
final class HangReport: Sendable {
  private let watchdog: Watchdog
  private let output: Output
  /// What that means, as a sentence; empty if it goes without saying.
  private let consequence: String
  private let restoration = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ watchdog: Watchdog, output: Output, consequence: String = "The session is over.") {
    self.watchdog = watchdog
    self.output = output
    self.consequence = consequence
  }

  /// What gives the terminal back before the process ends.
  func restoreTerminal(with restore: @escaping @Sendable () -> Void) {
    restoration.withLock { $0 = restore }
  }

  func watch(_ monitor: StepMonitor) throws(SystemError) {
    try watchdog.watch(monitor) { [self] words in
      // A failed write changes nothing about what has to be said and done now.
      try? output.flush()
      restoration.withLock { $0?() }
      Console.complain("vmhost: \(words)\(consequence.isEmpty ? "" : " ")\(consequence)\n")
      Exit.now(Outcome.brokenPlugin.status)
    }
  }
}

extension LocalPlugin {
  /// Loads a plugin into this process.
  ///
  /// - Parameter watch: gets its monitor before it is loaded.
  static func load(
    _ path: String, _ name: String, _ limits: StepLimits, watch: (StepMonitor) throws -> Void
  ) throws -> LocalPlugin {
    let monitor = StepMonitor(plugin: name)
    try watch(monitor)
    return try LocalPlugin(path: path, name: name, limits: limits, monitor: monitor)
  }
}

import Basics
import Glibc
import Synchronization

/// A thread that detects plugins in this process that don't return from a call.
///
/// Nothing can stop such a call, so the process can only report it and end. One thread watches all
/// plugins.
package final class Watchdog: Sendable {
  /// Handles the message about a plugin that hangs. It runs on the watchdog's thread, which ends
  /// after it.
  package typealias HangHandler = @Sendable (_ message: String) -> Void

  private struct Watched {
    /// Nil once the plugin is gone, which ends the watch.
    weak let monitor: StepMonitor?
    let onHang: HangHandler
    /// The last step that was seen, and the time when it was first seen.
    var seen: UInt64 = 0
    var since: Nanoseconds = 0
  }

  private struct State {
    var watched: [Watched] = []
    var isRunning = false
  }

  private let limits: StepLimits
  private let state = Mutex(State())

  /// - Parameter limits: the time limits for calls and for loading a plugin.
  package init(limits: StepLimits) { self.limits = limits }

  /// Watches a plugin for as long as its monitor lives.
  ///
  /// - Throws: `SystemError` if the thread can't be started.
  package func watch(
    _ monitor: StepMonitor, onHang: @escaping HangHandler
  ) throws(SystemError) {
    let starts = state.withLock { state in
      state.watched.append(Watched(monitor: monitor, onHang: onHang))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    do throws(SystemError) {
      try DetachedThread.start { self.run() }
    } catch {
      state.withLock { $0.isRunning = false }
      throw error
    }
  }

  private func limit(of step: StepMonitor.Step) -> Nanoseconds {
    // A user who gives steps more time, for a debugger, means loading too.
    step.kind == StepMonitor.loading ? max(limits.loadTime, limits.time) : limits.time
  }

  private func run() {
    // A few checks per limit detect a hang soon enough.
    let pause = max(min(limits.time, limits.loadTime) / 8, 1_000_000)
    while true {
      var time = timespec(tv_sec: Int(pause / 1_000_000_000), tv_nsec: Int(pause % 1_000_000_000))
      _ = unsafe nanosleep(&time, nil)
      let now = SystemClock.monotonic()
      switch state.withLock({ check(&$0, at: now) }) {
      case .hang(let message, let onHang): return onHang(message)
      case .nothing: continue
      case .noPlugins: return
      }
    }
  }

  private enum Finding {
    case hang(String, HangHandler)
    case nothing
    /// No plugins are left to watch.
    case noPlugins
  }

  private func check(_ state: inout State, at now: Nanoseconds) -> Finding {
    state.watched.removeAll { $0.monitor == nil }
    for index in state.watched.indices {
      guard let monitor = state.watched[index].monitor else { continue }
      let current = monitor.current
      guard current != 0, current == state.watched[index].seen else {
        state.watched[index].seen = current
        state.watched[index].since = now
        continue
      }
      let step = StepMonitor.step(of: current)
      let limit = limit(of: step)
      guard now - state.watched[index].since >= limit else { continue }
      return .hang(
        "the plugin \"\(monitor.plugin)\" hangs: it did not return from"
          + " \(monitor.description(of: step)) within \(TimeSpan.text(limit)).",
        state.watched[index].onHang)
    }
    state.isRunning = !state.watched.isEmpty
    return state.isRunning ? .nothing : .noPlugins
  }
}

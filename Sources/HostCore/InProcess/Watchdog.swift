import Basics
import Glibc
import Synchronization

/// A thread that sees when a plugin loaded into this process doesn't come back from a call.
///
/// Nothing can stop such a call, so all that is left is to say so and to end the process. One
/// thread watches all plugins.
package final class Watchdog: Sendable {
  /// Gets a sentence about a plugin that is stuck, on the watchdog's thread, which ends with that.
  package typealias HangHandler = @Sendable (_ words: String) -> Void

  private struct Watched {
    /// Gone with its plugin, which ends the watch.
    weak let monitor: StepMonitor?
    let onHang: HangHandler
    /// The step that was seen last, and since when.
    var seen: UInt64 = 0
    var since: Nanoseconds = 0
  }

  private struct State {
    var watched: [Watched] = []
    var isRunning = false
  }

  private let limits: StepLimits
  private let state = Mutex(State())

  /// - Parameter limits: how long a call, or the loading of a plugin, may take.
  package init(limits: StepLimits) { self.limits = limits }

  /// Watches a plugin for as long as its monitor lives.
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
    // Who gives steps more time, for a debugger, means it for the loading, too.
    step.kind == StepMonitor.loading ? max(limits.loadTime, limits.time) : limits.time
  }

  private func run() {
    // Looking a few times per limit finds a hang soon enough after it.
    let pause = max(min(limits.time, limits.loadTime) / 8, 1_000_000)
    while true {
      var time = timespec(tv_sec: Int(pause / 1_000_000_000), tv_nsec: Int(pause % 1_000_000_000))
      _ = unsafe nanosleep(&time, nil)
      let now = SystemClock.monotonic()
      switch state.withLock({ look(&$0, at: now) }) {
      case .hang(let words, let onHang): return onHang(words)
      case .nothing: continue
      case .nobody: return
      }
    }
  }

  private enum Sight {
    case hang(String, HangHandler)
    case nothing
    /// Nobody is left to be watched.
    case nobody
  }

  private func look(_ state: inout State, at now: Nanoseconds) -> Sight {
    state.watched.removeAll { $0.monitor == nil }
    for index in state.watched.indices {
      guard let monitor = state.watched[index].monitor else { continue }
      let present = monitor.present
      guard present != 0, present == state.watched[index].seen else {
        state.watched[index].seen = present
        state.watched[index].since = now
        continue
      }
      let step = StepMonitor.step(of: present)
      let limit = limit(of: step)
      guard now - state.watched[index].since >= limit else { continue }
      return .hang(
        "the plugin \"\(monitor.plugin)\" hangs: it did not come back from"
          + " \(monitor.words(for: step)) within \(TimeSpan.text(limit)).",
        state.watched[index].onHang)
    }
    state.isRunning = !state.watched.isEmpty
    return state.isRunning ? .nothing : .nobody
  }
}

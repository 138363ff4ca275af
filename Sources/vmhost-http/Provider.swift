import CanonicalJSON
import Foundation

/// The process that the host starts. It checks the messages, and has child processes do the
/// requests.
struct Provider {
  private let output: MessageOutput
  private let pool: FetchProcessPool

  init(output: MessageOutput) {
    self.output = output
    pool = FetchProcessPool(output: output)
  }

  /// Handles messages until standard input ends, then ends the child processes and this one.
  func run() -> Never {
    let rest = LineInput(.standardInput).read(handle)
    handle(rest)
    pool.stop()
    _exit(0)
  }

  private func handle(_ line: [UInt8]) {
    do throws(ProviderError) {
      switch try HostMessage(line: line) {
      case .request(let id, let effect, let value):
        start(id, effect, value, line)
      case .cancel(let id):
        pool.cancel(id, line)
      case .unreadable(let id, let reason):
        output.send(.error(id, ProviderError(.failed, reason)))
      case .blank:
        break
      }
    } catch {
      output.send(.log("warning", "A line that can't be read was skipped: \(error.message)"))
    }
  }

  private func start(_ id: UInt64, _ effect: String, _ value: JSONValue, _ line: [UInt8]) {
    if pool.isOpen(id) {
      output.send(.log("warning", "Request \(id) is still open; its second start was ignored."))
      return
    }
    do throws(ProviderError) {
      guard effect == "http" else {
        throw ProviderError(
          .failed, "This provider answers http, not \"\(effect)\". Name another one with --effect.")
      }
      try pool.start(id, OutgoingRequest(value: value), line)
    } catch {
      output.send(.error(id, error))
    }
  }
}

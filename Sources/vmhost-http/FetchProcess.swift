import CanonicalJSON
import Foundation

/// A child of the provider, which does requests that the provider has checked.
struct Worker {
  /// Makes this executable a worker.
  static let argument = "--worker"

  private let output: MessageOutput
  private let fetcher: Fetcher

  init(output: MessageOutput, bodyLimit: Int) {
    self.output = output
    fetcher = Fetcher(output: output, bodyLimit: bodyLimit)
  }

  /// Works until standard input ends, then ends the process, open requests and all.
  func run() -> Never {
    _ = LineInput(.standardInput).read { line in
      do throws(ProviderError) {
        switch try HostMessage(line: line) {
        case .request(let id, _, let value): fetcher.start(id, try OutgoingRequest(value: value))
        case .cancel(let id): fetcher.cancel(id)
        case .unreadable, .blank: preconditionFailure("The provider forwards requests and cancels.")
        }
      } catch {
        preconditionFailure("The provider forwards what it has checked: \(error)")
      }
    }
    // Not `exit`: its handlers would take down what the threads of open requests still use.
    _exit(0)
  }

  /// How many bytes a body may have: `VMHOST_HTTP_MAX_BODY`, or 16 MiB.
  static func bodyLimit(in environment: [String: String]) throws(ProviderError) -> Int {
    guard let text = environment["VMHOST_HTTP_MAX_BODY"] else { return 16 << 20 }
    guard let limit = Int(text), limit >= 0 else {
      throw ProviderError(
        .invalidRequest, "VMHOST_HTTP_MAX_BODY is \"\(text)\"; it must be a number of bytes.")
    }
    return limit
  }
}

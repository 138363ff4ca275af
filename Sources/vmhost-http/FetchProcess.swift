import CanonicalJSON
import Foundation

/// A child process of the provider, which performs requests that the provider has checked.
struct FetchProcess {
  /// The argument with which the provider starts its own executable as a child process.
  static let argument = "--fetch"

  private let output: MessageOutput
  private let fetcher: Fetcher

  init(output: MessageOutput, bodyLimit: Int) {
    self.output = output
    fetcher = Fetcher(output: output, bodyLimit: bodyLimit)
  }

  /// Performs requests until standard input ends, then ends the process without waiting for open
  /// requests.
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
    // Not `exit`: its handlers would destroy what the threads of open requests still use.
    _exit(0)
  }

  /// How many bytes the body of an answer may have: `VMHOST_HTTP_MAX_BODY`, or 16 MiB.
  ///
  /// - Throws: `invalid-request` if the variable isn't a number of bytes.
  static func bodyLimit(in environment: [String: String]) throws(ProviderError) -> Int {
    guard let text = environment["VMHOST_HTTP_MAX_BODY"] else { return 16 << 20 }
    guard let limit = Int(text), limit >= 0 else {
      throw ProviderError(
        .invalidRequest, "VMHOST_HTTP_MAX_BODY is \"\(text)\"; it must be a number of bytes.")
    }
    return limit
  }
}

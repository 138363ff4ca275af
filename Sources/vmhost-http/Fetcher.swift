import Foundation
import FoundationNetworking
import Synchronization

/// Does requests with `URLSession`, any number at once, and answers each exactly once.
///
/// Three jobs of `URLSession` are done here, because on Linux it does them otherwise: the timeout
/// is one for the whole exchange (its own counts idle time), redirects are new tasks (its own keep
/// the credentials for another origin), and a cancelled request is answered without waiting for it.
final class Fetcher: Sendable {
  private let exchanges: ExchangeTable
  private let session: URLSession
  private let delegate: FetchDelegate

  init(output: MessageOutput, bodyLimit: Int) {
    let exchanges = ExchangeTable(output: output, bodyLimit: bodyLimit)
    self.exchanges = exchanges
    delegate = FetchDelegate(exchanges)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 256
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  func start(_ id: UInt64, _ request: OutgoingRequest) {
    exchanges.begin(id, request, in: session)
  }

  func cancel(_ id: UInt64) {
    exchanges.fail(id, ProviderError(.cancelled, "The request was cancelled."))
  }
}

import Foundation
import FoundationNetworking
import Synchronization

/// Performs requests with `URLSession`, any number at once, and answers each exactly once.
///
/// It does three jobs of `URLSession` itself, which does them differently on Linux. The timeout is
/// for the whole exchange; that of `URLSession` counts idle time. Redirects are new tasks;
/// `URLSession` would send the credentials to another origin. A cancelled request is answered
/// without waiting for `URLSession`.
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

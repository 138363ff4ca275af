import Foundation
import FoundationNetworking

/// Passes the events of a `URLSession` on to the table of exchanges.
final class FetchDelegate: NSObject, URLSessionDataDelegate {
  private let exchanges: ExchangeTable

  init(_ exchanges: ExchangeTable) {
    self.exchanges = exchanges
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    exchanges.received(response, for: dataTask)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchanges.received(data, for: dataTask)
  }

  /// The completion handler is deliberately not called. If the task were cancelled at the same
  /// moment, calling it would end the process (a `fatalError` in Foundation's `HTTPURLProtocol`).
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    exchanges.redirected(by: response, task, in: session)
  }

  /// Credentials are the plugin's business. It gets the 401 as the answer, which is complete by
  /// now. The completion handler isn't called: whatever it got, Foundation would wait for ever.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    exchanges.completed(task, nil)
    exchanges.cancel(task)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    exchanges.completed(task, error)
  }
}

import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// The open requests. Whatever removes a request answers it, so each is answered exactly once.
final class ExchangeTable: Sendable {
  /// A request on its way, over all its redirects.
  private struct Exchange {
    /// Distinguishes requests that used the same id one after the other.
    let serial: UInt64
    var request: OutgoingRequest
    var task: URLSessionDataTask
    var redirects = 0
    var response: HTTPURLResponse?
    var body = Data()
  }

  private struct State {
    var exchanges: [UInt64: Exchange] = [:]
    /// The ids of requests, by the identifiers of their tasks.
    var ids: [Int: UInt64] = [:]
    var lastSerial: UInt64 = 0
  }

  private static let redirectLimit = 10

  private let state = Mutex(State())
  private let output: MessageOutput
  private let bodyLimit: Int
  private let deadlines = DispatchQueue(label: "deadlines")
  /// `cancel` waits for the session's queue. On this queue, the caller doesn't wait for that.
  private let cancellations = DispatchQueue(label: "cancellations")

  init(output: MessageOutput, bodyLimit: Int) {
    self.output = output
    self.bodyLimit = bodyLimit
  }

  func begin(_ id: UInt64, _ request: OutgoingRequest, in session: URLSession) {
    let serial = state.withLock { state in
      state.lastSerial += 1
      let task = session.dataTask(with: request.urlRequest)
      state.exchanges[id] = Exchange(serial: state.lastSerial, request: request, task: task)
      state.ids[task.taskIdentifier] = id
      task.resume()
      return state.lastSerial
    }
    let timeout = DispatchTimeInterval.milliseconds(
      Int(clamping: Int64((request.timeout / .milliseconds(1)).rounded(.up))))
    let error = ProviderError(
      .timeout, "\(request.url.forMessages) did not answer within \(request.timeout).")
    // The closure lives until the deadline, so it must not hold the request with its body.
    deadlines.asyncAfter(deadline: .now() + timeout) { [self] in
      fail(id, serial: serial, error)
    }
  }

  /// Answers with an error, if the request is still open.
  func fail(_ id: UInt64, serial: UInt64? = nil, _ error: ProviderError) {
    guard let exchange = take(id, serial: serial) else { return }
    cancel(exchange.task)
    output.send(.error(id, error))
  }

  func received(_ response: URLResponse, for task: URLSessionTask) {
    let tooLarge: (UInt64, ProviderError)? = state.withLock { state in
      guard let id = state.ids[task.taskIdentifier], let response = response as? HTTPURLResponse,
        response.statusCode >= 200
      else { return nil }
      state.exchanges[id]?.response = response
      let isHead = state.exchanges[id]?.request.method == "HEAD"
      guard !isHead && response.expectedContentLength > Int64(bodyLimit) else { return nil }
      return (id, self.tooLarge(task))
    }
    if let (id, error) = tooLarge { fail(id, error) }
  }

  func received(_ data: Data, for task: URLSessionTask) {
    let tooLarge: (UInt64, ProviderError)? = state.withLock { state in
      guard let id = state.ids[task.taskIdentifier] else { return nil }
      state.exchanges[id]?.body.append(data)
      guard let count = state.exchanges[id]?.body.count, count > bodyLimit else { return nil }
      return (id, self.tooLarge(task))
    }
    if let (id, error) = tooLarge { fail(id, error) }
  }

  /// Follows a redirect with a new task.
  func redirected(by response: HTTPURLResponse, _ task: URLSessionTask, in session: URLSession) {
    let failure: (UInt64, ProviderError)? = state.withLock { state in
      guard let id = state.ids[task.taskIdentifier], var exchange = state.exchanges[id] else {
        return nil
      }
      do throws(ProviderError) {
        guard let next = try exchange.request.redirected(by: response) else {
          throw ProviderError(
            .failed, "\(exchange.request.url.forMessages) answered \(response.statusCode).")
        }
        guard exchange.redirects < Self.redirectLimit else {
          throw ProviderError(
            .failed,
            "More than \(Self.redirectLimit) redirects, the last to \(next.url.forMessages).")
        }
        exchange.request = next
        exchange.redirects += 1
        exchange.task = session.dataTask(with: next.urlRequest)
        exchange.response = nil
        state.ids[task.taskIdentifier] = nil
        state.ids[exchange.task.taskIdentifier] = id
        state.exchanges[id] = exchange
        exchange.task.resume()
        return nil
      } catch {
        return (id, error)
      }
    }
    if let (id, error) = failure { fail(id, error) }
    cancel(task)
  }

  func completed(_ task: URLSessionTask, _ error: (any Error)?) {
    guard let id = state.withLock({ $0.ids[task.taskIdentifier] }), let exchange = take(id) else {
      return
    }
    if let error {
      output.send(
        .error(
          id, ProviderError(error, from: exchange.request.url, began: exchange.response != nil)))
    } else if let response = exchange.response ?? task.response as? HTTPURLResponse {
      output.send(.reply(id, Answer(response, body: exchange.body).value))
    } else {
      output.send(
        .error(
          id, ProviderError(.failed, "\(exchange.request.url.forMessages) did not answer in HTTP."))
      )
    }
  }

  func cancel(_ task: URLSessionTask) {
    cancellations.async { task.cancel() }
  }

  private func take(_ id: UInt64, serial: UInt64? = nil) -> Exchange? {
    state.withLock { state in
      guard let exchange = state.exchanges[id], serial == nil || serial == exchange.serial else {
        return nil
      }
      state.exchanges[id] = nil
      state.ids[exchange.task.taskIdentifier] = nil
      return exchange
    }
  }

  private func tooLarge(_ task: URLSessionTask) -> ProviderError {
    let url = task.originalRequest?.url?.forMessages ?? "The server"
    return ProviderError(
      .tooLarge,
      "\(url) answers with more than \(bodyLimit) bytes. VMHOST_HTTP_MAX_BODY sets the limit.")
  }
}

extension OutgoingRequest {
  fileprivate var urlRequest: URLRequest {
    var result = URLRequest(url: url)
    result.httpMethod = method
    result.httpBody = body.map { Data($0) }
    result.httpShouldHandleCookies = false
    // Idle time is not limited here, but the session's timeout has to come after our deadline.
    result.timeoutInterval = min(timeout / .seconds(1), 1_000_000) + 60
    for (name, value) in headers { result.setValue(value, forHTTPHeaderField: name) }
    if headers["user-agent"] == nil {
      result.setValue("vmhost-http", forHTTPHeaderField: "User-Agent")
    }
    return result
  }
}

extension ProviderError {
  /// - Parameter began: whether the head of the answer had arrived.
  fileprivate init(_ error: any Error, from url: URL, began: Bool) {
    let error = error as NSError
    let reason = "\(error.localizedDescription) (\(error.domain) \(error.code))"
    if began {
      self.init(.failed, "The answer of \(url.forMessages) broke off: \(reason)")
      return
    }
    switch error.code {
    case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed:
      self.init(.offline, "The host of \(url.forMessages) can't be found: \(reason)")
    // Foundation reports libcurl's "empty reply from server" as a bad response.
    case NSURLErrorCannotConnectToHost, NSURLErrorNotConnectedToInternet,
      NSURLErrorNetworkConnectionLost, NSURLErrorBadServerResponse:
      self.init(.offline, "No connection to \(url.forMessages), or it was lost: \(reason)")
    case NSURLErrorTimedOut:
      self.init(.timeout, "\(url.forMessages) did not answer: \(reason)")
    case NSURLErrorBadURL:
      self.init(.invalidURL, "\(url.forMessages) can't be requested: \(reason)")
    default:
      self.init(.failed, "\(url.forMessages): \(reason)")
    }
  }
}

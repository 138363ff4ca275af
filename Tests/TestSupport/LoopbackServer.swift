import Glibc

/// A real HTTP/1.1 server on a free port of 127.0.0.1, one thread a connection.
///
/// It lives for one scope, `LoopbackServer.with { request in .json("{}") } run: { server in … }`.
/// At the end of the scope it stops, also with answers held, and leaves no thread.
package final class LoopbackServer: Sendable {
  package typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  package let port: UInt16
  /// `http://127.0.0.1:PORT`, without a slash at its end.
  package var url: String { "http://127.0.0.1:\(port)" }

  /// What the threads of the server share.
  struct Shared {
    var requests: [HTTPRequest] = []
    var connections = 0
    var hangUps = 0
    var threads: [JoinableThread] = []
  }

  private let shared = Monitor(Shared())
  private let stopSignal: Gate
  private let acceptor: JoinableThread

  private init(_ handler: @escaping Handler) throws {
    let (socket, port) = try boundLoopbackSocket()
    self.port = port
    guard listen(socket.number, 128) == 0 else {
      throw TestSupportError("Could not listen on port \(port): \(errorText(errno)).")
    }
    try socket.setNonBlocking()
    let stopSignal = try Gate()
    self.stopSignal = stopSignal
    acceptor = try JoinableThread { [shared] in
      while pollDescriptors([(socket, POLLIN), (stopSignal.descriptor, POLLIN)])[1] == 0 {
        let number = accept(socket.number, nil, nil)
        if number < 0 { continue }
        Self.serve(number, handler, shared, stopSignal)
      }
    }
  }

  /// Runs a server for the time of `body`.
  package static func with<Result>(
    _ handler: @escaping Handler, run body: (LoopbackServer) async throws -> Result
  ) async throws -> Result {
    let server = try LoopbackServer(handler)
    defer { server.stop() }
    return try await body(server)
  }

  /// All requests received so far, in order of arrival.
  package var requests: [HTTPRequest] { shared.withLock { $0.requests } }
  /// How many connections clients have made so far.
  package var connections: Int { shared.withLock { $0.connections } }

  /// Waits until `count` requests have arrived in all, and gives them.
  @discardableResult
  package func waitForRequests(
    _ count: Int, within limit: Duration = .seconds(60)
  ) throws -> [HTTPRequest] {
    let requests = shared.wait(within: limit) { $0.requests.count >= count ? $0.requests : nil }
    guard let requests else {
      throw TestSupportError(
        "\(self.requests.count) of \(count) requests arrived at \(url) within \(limit).")
    }
    return requests
  }

  /// Waits until clients have hung up on `count` answers in all that were held, stalled or
  /// streamed.
  package func waitForHangUps(_ count: Int, within limit: Duration = .seconds(60)) throws {
    let enough = shared.wait(within: limit) { $0.hangUps >= count ? true : nil }
    guard enough == true else {
      throw TestSupportError("No \(count) clients hung up on \(url) within \(limit).")
    }
  }

  private func stop() {
    stopSignal.open()
    acceptor.join()
    for thread in shared.withLock({ $0.threads }) { thread.join() }
  }

  private static func serve(
    _ number: Int32, _ handler: @escaping Handler, _ shared: Monitor<Shared>, _ stopSignal: Gate
  ) {
    do {
      let socket = try Descriptor(number, "a connection")
      guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else { return }
      let thread = try JoinableThread {
        var connection = HTTPConnection(socket, shared: shared, stopSignal: stopSignal)
        connection.serve(handler)
      }
      shared.withLock {
        $0.connections += 1
        $0.threads.append(thread)
      }
    } catch {
      preconditionFailure("The loopback server could not serve: \(error)")
    }
  }
}

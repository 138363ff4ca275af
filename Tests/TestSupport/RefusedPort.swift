/// A loopback port that refuses connections: bound, so that nobody else takes it, but not
/// listening.
package final class RefusedPort: Sendable {
  package let number: UInt16
  private let socket: Descriptor

  package init() throws {
    (socket, number) = try boundLoopbackSocket()
  }

  /// Runs `body` while the port is held.
  package static func with<Result>(
    _ body: (UInt16) async throws -> Result
  ) async throws -> Result {
    let port = try RefusedPort()
    defer { withExtendedLifetime(port) {} }
    return try await body(port.number)
  }
}

import CanonicalJSON

/// HTTP, done by the host: `let http = HTTP()`.
public final class HTTP: EffectPart {
  private static let effectName = "http"
  private static let effectBytes = Array(effectName.utf8)

  public nonisolated override init() {}

  override var requests: [String] { [HTTP.effectName] }

  /// Sends a request and gives the response, whatever its status.
  ///
  /// Throws `EffectError` with `offline`, `timeout`, `cancelled`, `invalidURL`, `tooLarge` or
  /// `invalidReply`, and `CancellationError` once the run is cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let reply = try await ask(HTTP.effectBytes, request)
    do {
      return try HTTPResponse(reply: reply)
    } catch {
      throw invalidReply(HTTP.effectBytes, error.message)
    }
  }

  /// Sends a GET request.
  public func get(_ url: String, headers: [String: String] = [:]) async throws -> HTTPResponse {
    try await send(HTTPRequest(method: "GET", url: url, headers: headers))
  }
}

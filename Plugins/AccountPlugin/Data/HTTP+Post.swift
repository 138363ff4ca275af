import ViewModelKit

extension HTTP {
  /// Posts a value as JSON. Throws `EffectError`, or what ended the work early.
  func post(_ value: some Encodable & Sendable, to url: String) async throws -> HTTPResponse {
    try await send(HTTPRequest(method: "POST", url: url, body: .json(value)))
  }
}

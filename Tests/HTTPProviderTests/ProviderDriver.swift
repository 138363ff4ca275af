import CanonicalJSON
import TestSupport
import Testing

/// The real provider process, spoken to as the host does.
struct ProviderDriver {
  let child: ChildProcess

  /// The environment is all that the process gets, so that no proxy of the machine is in the way.
  init(environment: [String: String] = [:]) throws {
    child = try ChildProcess(
      BuildProducts.executable("vmhost-http"), environment: environment, input: .pipe)
  }

  /// Runs `body` with a provider, then checks that it has nothing more to say and ends well.
  static func with(
    environment: [String: String] = [:], _ body: (ProviderDriver) async throws -> Void
  ) async throws {
    let provider = try ProviderDriver(environment: environment)
    try await body(provider)
    provider.child.closeInput()
    #expect(try provider.child.readLine() == nil)
    let output = try provider.child.wait()
    #expect(output.status == .success)
    #expect(output.stderr == "")
  }

  func send(_ id: UInt64, _ value: JSONValue) throws {
    let message: JSONValue = [
      "kind": "request", "id": .number(JSONNumber(id)), "effect": "http", "value": value,
    ]
    try child.writeLine(message.canonicalText)
  }

  func next() throws -> JSONValue {
    let line = try #require(try child.readLine())
    return try JSONValue(parsing: Array(line.utf8).span)
  }

  /// Sends a request and gives the whole message that answers it.
  func answer(_ value: JSONValue) throws -> JSONValue {
    try send(1, value)
    return try next()
  }

  /// The value of the reply to a request, which has to succeed.
  func fetch(_ value: JSONValue) throws -> JSONValue {
    let message = try answer(value)
    #expect(message["kind"] == "reply" && message["id"] == 1, "\(message)")
    return try #require(message["value"], "\(message)")
  }

  func get(_ url: String) throws -> JSONValue {
    try fetch(["method": "GET", "url": .string(url)])
  }

  /// The code of the error that a request has to end in.
  func errorCode(_ value: JSONValue) throws -> String {
    let message = try answer(value)
    #expect(message["kind"] == "error" && message["id"] == 1, "\(message)")
    #expect(message["message"]?.stringValue?.isEmpty == false)
    return try #require(message["code"]?.stringValue, "\(message)")
  }

  func errorCode(get url: String) throws -> String {
    try errorCode(["method": "GET", "url": .string(url)])
  }
}

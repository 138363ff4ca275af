import CanonicalJSON

/// An open view model. It can be used from any thread or actor.
public final class Instance: Sendable {
  /// The id of the view model, such as `movies.list`.
  public let viewModel: String
  /// The name of the instance in its session.
  public let handle: String
  /// The session that the instance belongs to.
  public let session: Session
  private let number: Int32
  private let state: InstanceState

  init(_ opened: OpenedInstance, session: Session) {
    viewModel = opened.viewModel
    handle = opened.handle
    number = opened.number
    state = opened.state
    self.session = session
  }

  /// The current values of its states. A closed instance keeps its last values.
  public var frame: Frame { state.frame }

  /// Returns the outputs from now on. Call it before you send the input that causes them.
  public func outputs() -> Outputs { Outputs(stream: state.subscribe()) }

  /// Sends an input without a value, and returns when the plugin has handled it.
  ///
  /// By then the frame has the new values, and the outputs are on their way to all readers.
  ///
  /// - Throws: a `HostError`:
  ///   - `invalid` if the view model has no such input;
  ///   - `refused` if the plugin refuses the input, as it does where a value is missing;
  ///   - `closed` if the instance or its session is closed;
  ///   - `brokenPlugin` or `system` if that ends the session, or has ended it.
  public func send(_ input: String) async throws(HostError) {
    try await send(input, bytes: [])
  }

  /// Sends an input with a value, and returns when the plugin has handled it.
  ///
  /// - Parameter value: the value; a `JSONValue` where the app has no type of its own.
  /// - Throws: the same errors as `send(_:)`. The code is `invalid` also if the value can't be
  ///   written as JSON, and `refused` if it doesn't fit the input.
  public func send(_ input: String, _ value: some Encodable) async throws(HostError) {
    try await send(input, bytes: try Coding.encode(value, as: "the value for \"\(input)\""))
  }

  /// Sends an input with a value in JSON, and returns when the plugin has handled it.
  ///
  /// - Parameter json: the value as JSON text, in any form.
  /// - Throws: the same errors as `send(_:)`. The code is `invalid` also if the text isn't JSON,
  ///   and `refused` if the value doesn't fit the input.
  public func send(_ input: String, json: String) async throws(HostError) {
    var bytes: [UInt8] = []
    do throws(JSONError) {
      try CanonicalJSON.append(Array(json.utf8).span, to: &bytes)
    } catch {
      throw HostError(.invalid, "the value for \"\(input)\" is not JSON: \(error).")
    }
    try await send(input, bytes: bytes)
  }

  private func send(_ input: String, bytes: [UInt8]) async throws(HostError) {
    try await session.perform { [number, handle] thread throws(HostError) in
      try thread.send(input, bytes, to: number, called: handle)
    }
  }

  /// Closes the instance, and ends its outputs. Closing a closed instance does nothing.
  ///
  /// - Throws: a `HostError` with the code `brokenPlugin` or `system` if that ends the session, or
  ///   has ended it.
  public func close() async throws(HostError) {
    do throws(HostError) {
      try await session.perform { [number] thread throws(HostError) in try thread.close(number) }
    } catch {
      // A closed session has closed it.
      guard error.code == .closed else { throw error }
    }
  }
}

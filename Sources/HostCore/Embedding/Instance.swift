import CanonicalJSON

/// A view model at work. Whoever holds it may use it, from any thread or actor.
public final class Instance: Sendable {
  /// The id of the view model, such as `movies.list`.
  public let viewModel: String
  /// What the session calls it.
  public let handle: String
  public let session: Session
  private let number: Int32
  private let feed: InstanceState

  init(_ opened: OpenedInstance, session: Session) {
    viewModel = opened.viewModel
    handle = opened.handle
    number = opened.number
    feed = opened.feed
    self.session = session
  }

  /// The present values of its states; of a closed one, the last.
  public var frame: Frame { feed.frame }

  /// What it outputs from now on: take it before you send what is to cause them.
  public func outputs() -> Outputs { Outputs(stream: feed.subscribe()) }

  /// Sends an input that carries no value, and returns when the plugin has handled it: what came
  /// of it is in the frame and on its way to all readers of outputs.
  public func send(_ input: String) async throws(HostError) {
    try await send(input, bytes: [])
  }

  /// Sends an input with a value, and returns when the plugin has handled it.
  ///
  /// - Parameter value: for what has no Swift type, a `JSONValue`.
  public func send(_ input: String, _ value: some Encodable) async throws(HostError) {
    try await send(input, bytes: try Coding.encode(value, as: "the value for \"\(input)\""))
  }

  /// Sends an input with a value that is JSON text, and returns when the plugin has handled it.
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

  /// Closes it; its outputs end. Nothing happens if it is closed.
  public func close() async throws(HostError) {
    do throws(HostError) {
      try await session.perform { [number] thread throws(HostError) in try thread.close(number) }
    } catch {
      // A closed session has closed it.
      guard error.code == .closed else { throw error }
    }
  }
}

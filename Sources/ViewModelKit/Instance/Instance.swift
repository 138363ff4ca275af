import Basics
import CanonicalJSON

/// One living view model: its parts, its open requests, and the events that wait for the host.
@ViewModelActor final class Instance {
  /// The id of its view model.
  let viewModelID: String
  let environment: Environment
  /// Nanoseconds since the session began, at the latest event.
  private(set) var now: Int64
  /// The name of the input or effect being handled, for faults. Empty while the view model is made.
  private(set) var cause: [UInt8] = []
  var outbox = Outbox()
  private(set) var isStarted = false
  private(set) var isAlive = true
  /// Whether a poll gave up on the plugin's tasks, which go on without an event.
  var isStuck = false

  private var viewModel: AnyObject?
  private var parts: [ViewModelPart] = []
  private var inputs: [InputPart] = []
  private var open: [UInt64: OpenRequest] = [:]
  private var lastID: UInt64 = 0
  private var refusals = 0
  private var isCounted = false

  private struct OpenRequest {
    var effect: [UInt8]
    var answer: (Result<[UInt8], any Error>) -> Void
  }

  init(viewModelID: String, environment: Environment) {
    self.viewModelID = viewModelID
    self.environment = environment
    now = environment.now
  }

  /// Takes a new view model. Call `finishStart` once the view model has wired itself up.
  func adopt(_ model: AnyObject, _ found: Parts) {
    viewModel = model
    Image.living += 1
    Image.current = self
    Sleep.adoptOrphans(self)
    parts = found.all
    inputs = found.inputs
    for part in parts { part.instance = self }
  }

  /// Emits the states of the view model, and then what it emitted while it wired itself up.
  func finishStart() {
    isStarted = true
    let early = outbox.takeAll()
    for case let state as StatePart in parts { state.emitFirst(in: self) }
    outbox.append(early)
  }

  // MARK: From the host

  /// Delivers an event. If this throws, nothing has changed.
  func send(
    _ kind: IncomingKind, id: UInt64, time: Int64, name: Span<UInt8>, json: Span<UInt8>
  ) throws(Refusal) {
    let (lastCause, lastTime) = (cause, now)
    now = time
    refusals = 0
    Image.current = self
    do throws(Refusal) {
      switch kind {
      case .input: try receiveInput(name, json)
      case .reply: try receiveReply(id, name, json)
      case .error: try receiveError(id, name, json)
      }
    } catch {
      (cause, now) = (lastCause, lastTime)
      throw error
    }
    Sleep.adoptOrphans(self)
  }

  private func receiveInput(_ name: Span<UInt8>, _ json: Span<UInt8>) throws(Refusal) {
    guard let input = input(named: name) else {
      let names = inputs.map { String(decoding: $0.name, as: UTF8.self) }
      let name = String(repairing: name)
      throw Refusal(
        .name,
        "The view model \"\(viewModelID)\" has no input \"\(name)\"."
          + NearestName.hintOrList(for: name, among: names))
    }
    cause = input.name
    try input.receive(json, in: self)
  }

  private func input(named name: Span<UInt8>) -> InputPart? {
    // By index: iterating would retain each input on the way. Not by a closure, for which Swift
    // would check that it runs on the actor.
    for index in inputs.indices where inputs[index].name.equals(name) { return inputs[index] }
    return nil
  }

  private func receiveReply(
    _ id: UInt64, _ name: Span<UInt8>, _ json: Span<UInt8>
  ) throws(Refusal) {
    let request = try openRequest(id, name)
    if !json.isEmpty {
      // The awaiting call decodes it; here it only has to be JSON.
      var offset = 0
      do throws(JSONError) {
        _ = try JSONScanner.skipValue(in: json, at: &offset)
      } catch {
        throw Refusal(.value, "The reply to request \(id) is not JSON: \(error).")
      }
      JSONScanner.skipWhitespace(in: json, at: &offset)
      guard offset == json.count else {
        throw Refusal(.value, "The reply to request \(id) has bytes after its value.")
      }
    }
    close(id, request, .success(Array(copying: json)))
  }

  private func receiveError(
    _ id: UInt64, _ name: Span<UInt8>, _ json: Span<UInt8>
  ) throws(Refusal) {
    let request = try openRequest(id, name)
    let error: ErrorReply
    do {
      error = try JSONCoding.decode(ErrorReply.self, from: json)
    } catch {
      throw Refusal(
        .value,
        "The error for request \(id) must be {\"code\":…,\"message\":…}: "
          + "\(JSONCoding.message(for: error)).")
    }
    close(id, request, .failure(EffectError(code: error.code, message: error.message)))
  }

  private struct ErrorReply: Decodable {
    var code: String
    var message: String
  }

  private func openRequest(_ id: UInt64, _ name: Span<UInt8>) throws(Refusal) -> OpenRequest {
    guard let request = open[id] else {
      throw Refusal(.id, "No open request of \"\(viewModelID)\" has the id \(id).")
    }
    guard request.effect.equals(name) else {
      let effect = String(decoding: request.effect, as: UTF8.self)
      throw Refusal(
        .id,
        "The request \(id) of \"\(viewModelID)\" is for \"\(effect)\", not \""
          + "\(String(repairing: name))\".")
    }
    return request
  }

  private func close(
    _ id: UInt64, _ request: OpenRequest, _ answer: Result<[UInt8], any Error>
  ) {
    open[id] = nil
    cause = request.effect
    request.answer(answer)
  }

  /// Ends the instance, in whatever state it is.
  func destroy() {
    isAlive = false
    Image.living -= 1
    if Image.current === self { Image.current = nil }
    settle()
    for part in parts { part.stop() }
    let requests = open.sorted { $0.key < $1.key }
    open = [:]
    for (_, request) in requests { request.answer(.failure(CancellationError())) }
    ViewModelActor.shared.executor.finishAll()
    if Image.living == 0 { Sleep.endSession() }
    for part in parts { part.release() }
    parts = []
    inputs = []
    if let viewModel { EndedViewModels.add(viewModel, id: viewModelID) }
    viewModel = nil
    outbox = Outbox()
  }

  // MARK: To the host

  /// Whether the running code may emit: not after the instance's end, nor in a cancelled run.
  var mayEmit: Bool {
    isAlive && !(ViewModelActor.shared.executor.isRunningJob && Task.isCancelled)
  }

  func emit<Value: Encodable>(_ name: [UInt8], _ value: Value, _ direct: DirectCoding<Value>?) {
    guard isAlive else { return }
    do {
      try outbox.append(.output, name: name) { json in
        if let direct { return try direct.encode(value, appendingTo: &json) }
        try PortCoding.encode(value, appendingTo: &json)
      }
      count()
    } catch {
      fault(name, error)
    }
  }

  func emitWithoutValue(_ name: [UInt8]) { post(.output, name: name) }

  func log(_ level: LogLevel, _ message: String) {
    post(.log, name: Array(level.rawValue.utf8), text: message)
  }

  /// Reports that the author's code threw while it handled `name`.
  func fault(_ name: [UInt8], _ error: any Error) {
    let reason = JSONCoding.message(for: error)
    let what = String(decoding: name, as: UTF8.self)
    log(.error, what.isEmpty ? reason : "\"\(what)\" failed: \(reason)")
    post(.fault, name: name, text: reason)
  }

  private func post(_ kind: OutgoingKind, id: UInt64 = 0, name: [UInt8], text: String? = nil) {
    guard isAlive else { return }
    outbox.append(kind, id: id, name: name) { json in
      if let text { CanonicalJSON.appendString(text, to: &json) }
    }
    count()
  }

  // MARK: Requests

  /// Emits a request and returns its id. If the value is nil, the request has none.
  func reserve<Request: Encodable>(_ effect: [UInt8], _ value: Request?) throws -> UInt64 {
    let id = lastID + 1
    try outbox.append(.request, id: id, name: effect) { json in
      if let value { try PortCoding.encode(value, appendingTo: &json) }
    }
    lastID = id
    count()
    return id
  }

  func expect(
    _ id: UInt64, _ effect: [UInt8], _ answer: @escaping (Result<[UInt8], any Error>) -> Void
  ) {
    open[id] = OpenRequest(effect: effect, answer: answer)
  }

  /// Emits a request; `answer` is called when its answer comes, or when it is cancelled.
  func open<Request: Encodable>(
    _ effect: [UInt8], _ value: Request,
    _ answer: @escaping (Result<[UInt8], any Error>) -> Void
  ) throws -> UInt64 {
    let id = try reserve(effect, value)
    expect(id, effect, answer)
    return id
  }

  /// Cancels an open request; the host is told at once.
  func cancel(_ id: UInt64) {
    guard let request = open.removeValue(forKey: id) else { return }
    post(.cancel, id: id, name: request.effect)
    request.answer(.failure(CancellationError()))
  }

  /// Refuses an effect call of a cancelled run, or one after the instance's end.
  ///
  /// Code that ignores the error and asks again and again would keep the host's call from
  /// returning. So after many refusals this never returns.
  func refusal() async -> CancellationError {
    refusals += 1
    guard refusals > 1000 else { return CancellationError() }
    await withCheckedContinuation { (never: CheckedContinuation<Void, Never>) in
      Image.abandoned.append(never)
    }
    return CancellationError()
  }

  // MARK: Whether events wait

  private func count() {
    guard !isCounted else { return }
    isCounted = true
    Image.waiting += 1
  }

  /// Records that no events wait any more.
  func settle() {
    guard isCounted else { return }
    isCounted = false
    Image.waiting -= 1
  }
}

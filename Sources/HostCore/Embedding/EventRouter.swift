import CanonicalJSON

/// Routes a session's events to subscribers, handlers and the log.
final class EventRouter {
  /// A request that a handler answers.
  struct Key: Hashable, Sendable {
    let instance: Int32
    let id: UInt64
  }

  enum Answer: Sendable {
    case reply([UInt8])
    case failure(EffectFailure)
  }

  private let handlers: [String: EffectAnswer.Handler]
  /// The effects that programs answer.
  private let provided: Set<String>
  private let secrets: Secrets
  private let log: (@Sendable (LogMessage) -> Void)?
  private let state: SessionState
  private var instances: [Int32: InstanceState] = [:]
  private var answering: [Key: Task<Void, Never>] = [:]

  init(_ plan: SessionPlan, provided: [String], secrets: Secrets, state: SessionState) {
    handlers = plan.handlers
    self.provided = Set(provided)
    self.secrets = secrets
    log = plan.log
    self.state = state
  }

  /// Whether a handler still has to answer a request.
  var isAnswering: Bool { !answering.isEmpty }

  // MARK: Instances

  /// Publishes what the instance outputs from now on.
  func add(_ instance: SessionInstance) -> OpenedInstance {
    let values = secrets.isEmpty ? instance.frame : instance.frame.map(redacted)
    return show(instance.viewModel, instance.number, instance.handle, values)
  }

  private func show(
    _ viewModel: ViewModelManifest, _ number: Int32, _ handle: String, _ values: [[UInt8]]
  ) -> OpenedInstance {
    let instance =
      instances[number]
      ?? InstanceState(
        Frame(names: viewModel.states.map(\.name), handle: handle, values: values))
    instances[number] = instance
    return OpenedInstance(viewModel: viewModel.id, handle: handle, number: number, state: instance)
  }

  func close(_ number: Int32) { instances.removeValue(forKey: number)?.end(nil) }

  /// Ends all streams, and cancels all handlers.
  ///
  /// - Parameter failure: the error that ended the session; nil if it was closed.
  func end(_ failure: HostError?) {
    state.changes.end(failure)
    for instance in instances.values { instance.end(failure) }
    instances = [:]
    for task in answering.values { task.cancel() }
    answering = [:]
  }

  private func redacted(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    if !secrets.isEmpty { secrets.redact(&bytes) }
    return bytes
  }

  // MARK: Events

  /// Routes the session's latest events.
  func take(_ engine: SessionEngine) {
    let events = engine.events
    var outputs: [Int32: [Instance.Output]] = [:]
    var changes: [EventBatch.Record] = []
    for record in events.records {
      switch record.kind {
      case .output:
        let output = Instance.Output(
          name: events.name(of: record), time: .nanoseconds(record.time),
          bytes: redacted(Array(events.bytes[record.value])))
        outputs[record.instance, default: []].append(output)
      case .request: begin(record, events, engine)
      case .cancel:
        let key = Key(instance: record.instance, id: record.id)
        answering.removeValue(forKey: key)?.cancel()
      case .opened, .closed: changes.append(record)
      case .print: say(.printed, events.value(of: record), of: nil)
      default: say(record, events, engine)
      }
    }
    // A subscriber that learns of an instance here also gets its first outputs.
    for change in changes { tell(change, outputs[change.instance] ?? [], events, engine) }
    for (number, outputs) in outputs { instances[number]?.publish(outputs) }
    for change in changes where change.isOf(.closed) { close(change.instance) }
  }

  /// Tells the subscribers that an instance opened or closed.
  ///
  /// - Parameter outputs: the instance's outputs in the same events. Those of a new instance
  ///   include its first frame.
  private func tell(
    _ change: EventBatch.Record, _ outputs: [Instance.Output], _ events: EventBatch,
    _ engine: SessionEngine
  ) {
    let handle = engine.handle(of: change)
    guard change.isOf(.opened) else { return state.changes.send { [.closed(handle: handle)] } }
    // If the same step closed the instance again, the engine no longer has it.
    guard let (_, viewModel) = try? engine.find(events.name(of: change)) else { return }
    let values = [[UInt8]](repeating: [], count: viewModel.stateCount)
    let opened = show(viewModel, change.instance, handle, values)
    opened.state.show(outputs)
    state.changes.send { [.opened(opened, opened.state.subscribe())] }
  }

  private func begin(
    _ record: EventBatch.Record, _ events: EventBatch, _ engine: SessionEngine
  ) {
    let effect = events.name(of: record)
    let handle = engine.handle(of: record)
    guard let handler = handlers[effect] else {
      guard !provided.contains(effect) else { return }
      return say(.warning, "it asks for \"\(effect)\", which nobody answers.", of: handle)
    }
    let key = Key(instance: record.instance, id: record.id)
    let request = EffectRequest(
      effect: effect, instance: handle, bytes: Array(events.bytes[record.value]))
    answering[key] = Task { [mailbox = state.mailbox] in
      let answer: Answer
      do {
        answer = .reply(try await handler(request))
      } catch let failure as EffectFailure {
        answer = .failure(failure)
      } catch {
        answer = .failure(EffectFailure(code: "failed", message: "\(error)"))
      }
      mailbox.post { $0.answer(key, answer) }
    }
  }

  /// Removes a request, and returns whether it was still open.
  func finish(_ key: Key) -> Bool { answering.removeValue(forKey: key) != nil }

  // MARK: The log

  /// Logs a message of a program that answers an effect, or an error that doesn't end the session.
  func complain(_ text: String) { say(.warning, text, of: nil) }

  private func say(
    _ record: EventBatch.Record, _ events: EventBatch, _ engine: SessionEngine
  ) {
    guard log != nil else { return }
    let name = events.name(of: record)
    let value = Array(events.bytes[record.value])
    // The engine lets only strings through. One that Swift can't hold is shown as JSON.
    let text = (try? JSONCoding.decode(String.self, from: value.span)) ?? events.value(of: record)
    let handle = engine.handle(of: record)
    if record.kind == .fault { return say(.fault, "in \"\(name)\": \(text)", of: handle) }
    say(LogMessage.Level(rawValue: name) ?? .info, text, of: handle)
  }

  private func say(_ level: LogMessage.Level, _ text: String, of handle: String?) {
    log?(LogMessage(level: level, instance: handle, text: secrets.redacted(text)))
  }
}

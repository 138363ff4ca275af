import Basics
package import CanonicalJSON

/// One run: plugins, instances, a clock, effects, and all events in order.
///
/// It knows no terminal, file or network, and reads no clock: a driver moves its time, gives it
/// inputs and replies, and takes its events away. The same code serves live runs and replays.
package final class SessionEngine {
  package struct Options: Sendable {
    package var seed: UInt64 = 0
    /// The session's beginning, since 1970-01-01T00:00:00Z.
    package var epoch: Nanoseconds = 0
    package var locale = "en_US"
    package var timeZone = "UTC"
    /// Effects of the engine's own that are to be answered from outside instead.
    package var recorded: Set<String> = []

    package init() {}
  }

  struct Plugin {
    let name: String
    let connection: any PluginConnection
    /// How many of its instances have signals that lead somewhere.
    var leading = 0
  }

  /// What has happened and was not taken away yet; `id` is the one that users see. Of what came
  /// of inputs that were delivered together, `step` says which of them it is of.
  package var events = EventBatch()
  package private(set) var options: Options
  /// Since the session's beginning.
  package internal(set) var now: Nanoseconds = 0
  /// In the order of opening.
  package private(set) var instances: [SessionInstance] = []

  private(set) var plugins: [Plugin] = []
  /// Which signals lead where; nil: nowhere. `SessionEngine+Flow` sets and follows it.
  package internal(set) var flow: FlowRules?
  /// The configs of what was closed in this step, whose signals may still lead somewhere.
  var closedConfigs: [Int32: [UInt8]] = [:]
  private(set) var secrets: Secrets
  /// These, and what plugins get for those that nobody has given; with the number of plugins that
  /// it is for. Few sessions need it.
  private var allSecrets: (plugins: Int, secrets: Secrets)?
  var byNumber: [Int32: SessionInstance] = [:]
  private(set) var byHandle: [String: SessionInstance] = [:]
  /// Counts what opens and closes: where it differs, a handle may stand for something else.
  package private(set) var changes = 0
  private var nextNumber: Int32 = 0
  /// By the instances' numbers, the closed ones' too: their last events still name them.
  private(set) var handles: [String] = []
  /// The events whose emissions are being checked, and which of them is at hand: for errors.
  var answered = EventBatch()
  var answeredStep = 0
  /// The step to which the answers of simulated effects belong; nil: what is emitted says itself.
  var settledStep: Int32?
  var emissions = EventBatch()
  var effects: SimulatedEffects
  /// How many timers have fired since the session's beginning.
  package internal(set) var firedTimers = 0
  /// How many of them have since time passed or something came from outside.
  var firedAtOnce = 0
  /// The inputs that a plugin is at while the driver does something else; empty if there are none.
  private var underWay = InputBatch()

  package init(options: Options, storage: any StorageBackend, secrets: Secrets = Secrets()) {
    self.options = options
    self.secrets = secrets
    effects = SimulatedEffects(storage: storage, recorded: options.recorded)
  }

  /// Ends what `finish` didn't: nobody is left to tell how that went.
  deinit {
    // Whoever lets go of the session has no use for what is under way, nor for why it fails.
    try? finishDelivery()
    for instance in instances {
      plugins[instance.plugin].connection.destroy(instance.number, into: &emissions)
    }
  }

  /// Ends all instances, in the order of their opening, each within the limits of a step. Call it
  /// at the end of a session: plugins break down in this last call too.
  ///
  /// It goes on to the end where one breaks down, and throws the first such error.
  package func finish() throws(SessionError) {
    var first: SessionError?
    do throws(SessionError) { try finishDelivery() } catch { first = error }
    for instance in instances {
      do throws(SessionError) { try end(instance) } catch { first = first ?? error }
      instance.openRequests = [:]
    }
    instances = []
    byHandle = [:]
    byNumber = [:]
    if let first { throw first }
  }

  /// Ends an instance in its plugin.
  private func end(_ instance: SessionInstance) throws(SessionError) {
    answered = EventBatch()
    emissions.removeAll()
    plugins[instance.plugin].connection.destroy(instance.number, into: &emissions)
    // A plugin has nothing else to say any more.
    guard let death = emissions.records.last, death.kind == .death else { return }
    throw self.death(of: instance, emissions.value(of: death))
  }

  /// Whether no instance has been opened yet.
  package var isFresh: Bool { handles.isEmpty }

  /// Puts another storage in the place of the present one, before the first instance is opened.
  package func replaceStorage(_ replace: (any StorageBackend) -> any StorageBackend) {
    effects.storage = replace(effects.storage)
  }

  /// Changes the secrets, which holds for instances opened from now on.
  package func use(_ secrets: Secrets) {
    self.secrets = secrets
    allSecrets = nil
  }

  /// Changes the options, which holds for instances opened from now on.
  package func configure(_ change: (inout Options) -> Void) {
    change(&options)
    effects.recorded = options.recorded
  }

  // MARK: Plugins and instances

  /// The plugins in the order in which they were added.
  package var connections: [any PluginConnection] { plugins.map(\.connection) }
  package var manifests: [PluginManifest] { connections.map(\.manifest) }

  /// Adds a loaded plugin. Its view models can be opened from now on.
  package func add(_ connection: any PluginConnection, named name: String) throws(SessionError) {
    for other in plugins where other.connection.manifest.id == connection.manifest.id {
      throw SessionError(
        .unknown,
        "\"\(other.name)\" and \"\(name)\" are both the plugin \"\(connection.manifest.id)\".")
    }
    plugins.append(Plugin(name: name, connection: connection))
  }

  /// Opens an instance, whose first frame lies in `events` afterwards.
  ///
  /// - Parameters:
  ///   - handle: what to call it; nil for the last part of the view model's id.
  ///   - config: a JSON object, or nil. Its `"$secret:NAME"` strings become the secrets, and so do
  ///     those of the view model's own config where it leaves something to that.
  /// - Returns: the instance. A flow may have closed it already.
  @discardableResult
  package func open(
    _ id: String, as handle: String? = nil, config: JSONValue? = nil
  ) throws(SessionError) -> SessionInstance {
    try finishDelivery()
    if let config {
      guard case .object = config else {
        throw SessionError(.unknown, "the config of \(id) must be a JSON object.")
      }
    }
    var bytes: [UInt8] = []
    try secrets.resolve(config, of: try find(id).1)?.append(to: &bytes)
    let first = events.count
    let instance = try make(id, as: handle, config: bytes)
    try follow(from: first)
    return instance
  }

  /// Opens an instance, within a step.
  ///
  /// - Parameter config: a JSON object with its secrets in place, or empty.
  @discardableResult
  func make(
    _ id: String, as handle: String?, config: [UInt8]
  ) throws(SessionError) -> SessionInstance {
    let (plugin, viewModel) = try find(id)
    let handle = handle ?? viewModel.defaultHandle
    try checkFlow(handle, is: id)
    guard ManifestReader.isPortName(handle[...]) else {
      throw SessionError(
        .unknown,
        "\"\(handle)\" can't be a handle: use \(ManifestReader.portNameRule).")
    }
    guard byHandle[handle] == nil else {
      throw SessionError(
        .unknown,
        "the handle \"\(handle)\" is taken. Open the second one as something else:"
          + " @open \(id) as \(handle)2")
    }
    var specification = InstanceSpecification(viewModel: id)
    specification.config = config
    specification.locale = options.locale
    specification.timeZone = options.timeZone
    specification.seed = Self.seed(options.seed, instance: nextNumber)
    specification.epoch = options.epoch
    specification.time = now
    let instance = SessionInstance(
      number: nextNumber, handle: handle, viewModel: viewModel, plugin: plugin)
    if flow != nil { instance.config = config }
    nextNumber += 1
    handles.append(handle)
    byNumber[instance.number] = instance
    byHandle[handle] = instance
    instances.append(instance)
    didChange(instance, by: 1)
    emissions.removeAll()
    plugins[plugin].connection.create(specification, as: instance.number, into: &emissions)
    if let last = emissions.records.last, last.kind == .refusal {
      forget(instance)
      // The next one makes the choices that it would have made if this one hadn't been tried.
      nextNumber -= 1
      handles.removeLast()
      let words = secrets.redacted(emissions.value(of: last))
      throw SessionError(.refused, "\(id) would not open: \(Refusal.words(last.id, words))")
    }
    note(.opened, instance)
    answered = EventBatch()
    try checkFirstFrame(of: instance)
    try takeEmissions(of: plugin, answering: EventBatch())
    try settle()
    return instance
  }

  /// Closes an instance. Its open requests are cancelled.
  package func close(_ handle: String) throws(SessionError) {
    try finishDelivery()
    try remove(try instance(handle))
  }

  /// Closes an instance, within a step.
  func remove(_ instance: SessionInstance) throws(SessionError) {
    defer {
      if flow != nil { closedConfigs[instance.number] = instance.config }
      forget(instance)
    }
    try end(instance)
    for (shown, id) in instance.shownRequests.sorted(by: { $0.key < $1.key }) {
      guard let request = instance.openRequests[id] else { continue }
      appendCancel(of: instance, request.effect, shown, to: &events)
    }
    note(.closed, instance)
  }

  /// Canonical JSON as a recording has it, without secrets.
  package func redacted(_ json: [UInt8]) -> [UInt8] {
    if let allSecrets, allSecrets.plugins == plugins.count {
      return allSecrets.secrets.redactedJSON(json)
    }
    let all = secrets.withPlaceholders(for: manifests.flatMap(\.viewModels))
    allSecrets = (plugins.count, all)
    return all.redactedJSON(json)
  }

  /// A config as it was given, with the secrets that it leaves to the view model's own config.
  func givenConfig(_ config: JSONValue?, of id: String) -> JSONValue? {
    guard let (_, viewModel) = try? find(id) else { return config }
    return secrets.completed(config, of: viewModel)
  }

  private func forget(_ instance: SessionInstance) {
    // They are in the order of opening, which is that of their numbers.
    let index = instances.partitionIndex { $0.number >= instance.number }
    instances.remove(at: index)
    byHandle[instance.handle] = nil
    byNumber[instance.number] = nil
    instance.openRequests = [:]
    didChange(instance, by: -1)
  }

  private func didChange(_ instance: SessionInstance, by count: Int) {
    changes += 1
    if flow?.actions[instance.handle] != nil { plugins[instance.plugin].leading += count }
  }

  /// Different instances make different choices, and the first few always the same ones.
  private static func seed(_ seed: UInt64, instance: Int32) -> UInt64 {
    var generator = SplitMix64(seed: seed, skipping: UInt64(UInt32(bitPattern: instance)))
    return generator.next()
  }

  /// The handle of the instance that an event is about.
  package func handle(of record: EventBatch.Record) -> String { handles[Int(record.instance)] }

  // MARK: Events to plugins

  /// Adds an input to a batch.
  ///
  /// - Parameters:
  ///   - value: canonical JSON, or empty for none.
  ///   - tag: comes back in the error if the plugin refuses the input.
  /// - Returns: false, and nothing is added, if the batch is for another plugin: deliver it first.
  package func add(
    to batch: inout InputBatch, _ instance: SessionInstance, _ port: Int, value: Span<UInt8>,
    tag: UInt64
  ) -> Bool {
    if batch.plugin != instance.plugin {
      guard batch.isEmpty else { return false }
      batch.plugin = instance.plugin
    }
    var record = EventBatch.Record(kind: .input, instance: instance.number, id: tag, time: now)
    record.port = Int32(port)
    batch.append(record, of: instance, value: value)
    return true
  }

  /// Delivers inputs, each with its whole step, and empties the batch.
  ///
  /// If one is refused, those before it were delivered and those after it are dropped.
  package func deliver(_ batch: inout InputBatch) throws(SessionError) {
    try start(&batch)
    try finishDelivery()
  }

  /// Whether a plugin is at inputs that `start` gave it.
  package var isUnderWay: Bool { !underWay.isEmpty }

  /// Begins to deliver inputs and empties the batch. Where the plugin can work by itself, nothing
  /// of what comes of them lies in `events` before `finishDelivery`; else it is all done already.
  ///
  /// What was under way is finished first, and so it is by all else that reaches plugins.
  package func start(_ batch: inout InputBatch) throws(SessionError) {
    defer { if !batch.isEmpty { batch.events.removeAll() } }
    try finishDelivery()
    firedAtOnce = 0
    guard let first = batch.events.records.first else { return }
    // They may have been added a while ago.
    if first.time != now { batch.events.stamp(now) }
    swap(&batch, &underWay)
    // What one input leads to comes before the next one.
    if navigates(underWay) { return try finishDelivery() }
    if !plugins[underWay.plugin].connection.begin(underWay.events, from: 0) { try finishDelivery() }
  }

  /// Waits for the inputs that are under way, each with its whole step.
  ///
  /// If one is refused, those after it are dropped.
  package func finishDelivery() throws(SessionError) {
    guard isUnderWay else { return }
    var batch = InputBatch()
    swap(&batch, &underWay)
    defer {
      batch.events.removeAll()
      swap(&batch, &underWay)
    }
    if navigates(batch) { return try deliverFollowing(batch) }
    var next = 0
    while next < batch.events.count {
      emissions.removeAll()
      next = plugins[batch.plugin].connection.deliver(batch.events, from: next, into: &emissions)
      try takeEmissions(of: batch.plugin, answering: batch.events)
      // Only the last step that was made can have asked.
      settledStep = Int32(next - 1)
      defer { settledStep = nil }
      do throws(SessionError) {
        try settle()
      } catch {
        var error = error
        error.stepTag = batch.events.records[next - 1].id
        throw error
      }
    }
  }

  /// Answers a request that users see.
  ///
  /// - Parameter value: canonical JSON, or empty for none.
  package func reply(
    to instance: SessionInstance, _ shownID: UInt64, value: Span<UInt8>
  ) throws(SessionError) {
    try answer(instance, shownID, kind: .reply, value: value)
  }

  /// Answers a request that users see with a failure.
  ///
  /// - Parameter code: such as "offline".
  package func fail(
    _ instance: SessionInstance, _ shownID: UInt64, code: String, message: String
  ) throws(SessionError) {
    try answer(
      instance, shownID, kind: .error, value: effects.errorValue(code, message).span)
  }

  private func answer(
    _ instance: SessionInstance, _ shownID: UInt64, kind: EventKind, value: Span<UInt8>
  ) throws(SessionError) {
    try finishDelivery()
    firedAtOnce = 0
    guard let id = instance.shownRequests[shownID], let request = instance.closeRequest(id) else {
      throw SessionError(.unknown, notOpen(instance, shownID))
    }
    let first = events.count
    do throws(SessionError) {
      try deliver(kind, to: instance, id: id, name: request.effect, value: value)
    } catch {
      // Whoever refuses an answer waits for another one.
      if error.code == .refused {
        instance.openRequests[id] = request
        instance.shownRequests[shownID] = id
      }
      throw error
    }
    try settle()
    try follow(from: first)
  }

  /// Delivers one event, within a step.
  ///
  /// - Parameters:
  ///   - name: of the effect that is answered, or of an input.
  ///   - port: of an input, its number.
  func deliver(
    _ kind: EventKind, to instance: SessionInstance, id: UInt64, name: String, port: Int32 = -1,
    value: Span<UInt8>
  ) throws(SessionError) {
    var batch = EventBatch()
    var record = EventBatch.Record(kind: kind, instance: instance.number, id: id, time: now)
    record.port = port
    batch.append(record, name: Array(name.utf8).span, value: value)
    emissions.removeAll()
    _ = plugins[instance.plugin].connection.deliver(batch, from: 0, into: &emissions)
    try takeEmissions(of: instance.plugin, answering: batch)
  }
}

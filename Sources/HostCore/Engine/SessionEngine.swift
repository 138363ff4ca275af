import Basics
package import CanonicalJSON

/// One run: plugins, instances, a clock, effects, and all events in order.
///
/// The engine knows no terminal, file or network, and reads no clock. A driver advances its time,
/// gives it inputs and replies, and collects its events. Live runs and replays share this code.
package final class SessionEngine {
  package struct Options: Sendable {
    package var seed: UInt64 = 0
    /// The time of the session's beginning, since 1970-01-01T00:00:00Z.
    package var epoch: Nanoseconds = 0
    package var locale = "en_US"
    package var timeZone = "UTC"
    /// The effects that the engine simulates but that are to be answered from outside instead.
    package var recorded: Set<String> = []
    package var limits = StepLimits()

    package init() {}
  }

  struct Plugin {
    let name: String
    let connection: any PluginConnection
    /// Whether a schema restricts the values of any of its inputs.
    let restrictsInputs: Bool
    let usage = PluginUsage()
    /// How many of its instances have signals that the flow acts on.
    var navigating = 0

    init(name: String, connection: any PluginConnection) {
      self.name = name
      self.connection = connection
      restrictsInputs = connection.manifest.viewModels.contains { viewModel in
        viewModel.inputs.contains { $0.validator != nil }
      }
    }
  }

  /// The events that the driver hasn't collected yet. `id` is the one that users see. After inputs
  /// that were delivered together, `step` is the index of the input that caused the event.
  package var events = EventBatch()
  /// What callers are told about their lines, in its place among `events`. The driver collects it
  /// with them.
  package var answers: [SessionAnswer] = []
  /// How many steps the session has made. A step is an opening, an input, an answer, a closing, or
  /// all timers of one time.
  package internal(set) var steps = 0
  /// Whether `answers` says what makes each step.
  package var showsSteps = false
  /// The time of the latest step, if timers fired in it; otherwise -1.
  var timerStepTime: Nanoseconds = -1
  /// The instances that live on at the end of the session.
  package private(set) var leaks: [Leak] = []
  package private(set) var options: Options
  /// The time since the session's beginning.
  package var now: Nanoseconds { time }
  /// The same. As other modules can't see it, reading it needs no check of exclusive access.
  var time: Nanoseconds = 0
  /// The living instances, in the order of opening.
  package var instances: NumberedList<SessionInstance> { living }
  /// The same. As other modules can't see it, reading it needs no check of exclusive access.
  private(set) var living = NumberedList<SessionInstance>()

  private(set) var plugins: [Plugin] = []
  /// The actions that signals lead to; nil without a flow. `SessionEngine+Flow` performs them.
  package internal(set) var flow: FlowRules?
  /// The configs of the instances that were closed in this step. The flow may still act on their
  /// signals.
  var closedConfigs: [Int32: [UInt8]] = [:]
  private(set) var secrets: Secrets
  /// A cache of `secrets` and the placeholders of those that nobody gave, with the number of
  /// plugins that it was made for. Few sessions need it.
  private var allSecrets: (plugins: Int, secrets: Secrets)?
  private(set) var byHandle: [String: SessionInstance] = [:]
  /// The last request of each handle whose instance has been closed, by the ids that users see.
  var lastRequestIDs: [String: UInt64] = [:]
  /// Counts openings and closings. After a change, a handle may mean another instance.
  package private(set) var changes = 0
  private var nextNumber: Int32 = 0
  /// The handles by the instances' numbers. Closed ones stay: their last events still name them.
  private(set) var handles: [String] = []
  /// The events whose emissions are being checked, for errors.
  var answered = EventBatch()
  /// The index of the event in `answered` whose emission is being checked.
  var answeredStep = 0
  /// The step to which the answers of simulated effects belong; nil if each emission names its own.
  var settledStep: Int32?
  var emissions = EventBatch()
  var effects: SimulatedEffects
  /// The failure of the store that was logged last.
  var latestStorageError: StorageError?
  /// The plugins that were told of in a log message because they may keep no more in the store.
  var fullStores: Set<Int> = []
  var budget: StepBudget
  /// The machine's clock, which never jumps.
  private let clock: () -> Nanoseconds
  /// The machine's time without what it spent on other things than this session, as far as that is
  /// known.
  var ownTime: Nanoseconds {
    var time = clock()
    for plugin in plugins { time -= plugin.connection.waitedTime }
    return time
  }
  /// How many timers have fired since the session's beginning.
  package internal(set) var firedTimers = 0
  /// The inputs that a plugin works on while the driver does something else; may be empty.
  var underWay = InputBatch()
  /// Writes down the inputs under way.
  var inputRecorder: (any InputRecorder)?
  /// The inputs behind one that failed. They are dropped unless the caller takes them.
  var undelivered = InputBatch()

  /// What has happened so far; nil if nobody wants to know.
  package internal(set) var history: SessionHistory?
  /// Notes what the session reads, for its history.
  package internal(set) var historyStorage: RecordingStorage?

  /// - Parameter clock: the machine's clock, which never jumps. It only limits how long a step may
  ///   take.
  package init(
    options: Options, storage: any StorageBackend, secrets: Secrets = Secrets(),
    clock: @escaping () -> Nanoseconds = SystemClock.monotonic
  ) {
    self.options = options
    self.secrets = secrets
    self.clock = clock
    budget = StepBudget(options.limits)
    effects = SimulatedEffects(storage: storage, recorded: options.recorded)
  }

  /// Ends the instances that `finish` didn't. Errors are ignored, as nobody is left to get them.
  deinit {
    try? finishDelivery()
    for instance in instances {
      plugins[instance.plugin].connection.destroy(instance.number, into: &emissions)
    }
  }

  /// Ends all instances, in the order of their opening, each within the limits of a step.
  ///
  /// Call it at the end of a session: plugins may break down in this last call too.
  ///
  /// - Throws: the first error, after all instances have ended.
  package func finish() throws(SessionError) {
    var first: SessionError?
    do throws(SessionError) { try finishDelivery() } catch { first = error }
    let instances = instances
    let last = instances.reduce(into: [:]) { $0[$1.plugin] = $1.number }
    for instance in instances {
      do throws(SessionError) {
        try end(instance, isLast: instance.number == last[instance.plugin])
      } catch { first = first ?? error }
      instance.closeAllRequests()
    }
    living = NumberedList()
    byHandle = [:]
    for index in plugins.indices {
      do throws(SessionError) { try takeLeaks(of: index) } catch { first = first ?? error }
    }
    takePrinted()
    if let first { throw first }
  }

  /// Ends an instance in its plugin.
  ///
  /// - Parameter isLast: whether it is the plugin's last one, and the session ends.
  private func end(_ instance: SessionInstance, isLast: Bool) throws(SessionError) {
    answered = EventBatch()
    emissions.removeAll()
    plugins[instance.plugin].connection.destroy(
      instance.number, isLast: isLast, into: &emissions)
    takePrinted(of: instance.plugin)
    // Whatever else a plugin emits in its last call is ignored.
    try requireSurvival(of: instance.plugin)
  }

  private func takeLeaks(of plugin: Int) throws(SessionError) {
    emissions.removeAll()
    leaks += plugins[plugin].connection.takeLeaks(into: &emissions)
    try requireSurvival(of: plugin)
  }

  /// Throws if the last emission is the death of the plugin.
  private func requireSurvival(of plugin: Int) throws(SessionError) {
    guard let death = emissions.records.last, death.kind == .death else { return }
    throw self.death(of: plugin, emissions.value(of: death))
  }

  /// Whether no instance has been opened yet.
  package var isFresh: Bool { handles.isEmpty }

  /// Replaces the storage. Call it before the first instance is opened.
  package func replaceStorage(_ replace: (any StorageBackend) -> any StorageBackend) {
    effects.storage = replace(effects.storage)
  }

  /// Changes the secrets for instances that are opened from now on.
  package func use(_ secrets: Secrets) {
    self.secrets = secrets
    allSecrets = nil
  }

  /// Changes the options for instances that are opened from now on.
  package func configure(_ change: (inout Options) -> Void) {
    change(&options)
    effects.recorded = options.recorded
  }

  // MARK: Plugins and instances

  /// The plugins in the order in which they were added.
  package var connections: [any PluginConnection] { plugins.map(\.connection) }
  package var manifests: [PluginManifest] { connections.map(\.manifest) }

  /// Adds a loaded plugin. Its view models can be opened from now on.
  ///
  /// - Throws: `mistake`, if there is a plugin with the same id already.
  package func add(_ connection: any PluginConnection, named name: String) throws(SessionError) {
    for other in plugins where other.connection.manifest.id == connection.manifest.id {
      throw SessionError(
        .mistake(.notLoaded),
        "\"\(other.name)\" and \"\(name)\" are both the plugin \"\(connection.manifest.id)\".")
    }
    plugins.append(Plugin(name: name, connection: connection))
  }

  /// Opens an instance and adds the events of its first frame to `events`.
  ///
  /// - Parameters:
  ///   - id: the view model's id.
  ///   - handle: the instance's handle; nil for the last part of the view model's id.
  ///   - config: a JSON object, or nil. Its `"$secret:NAME"` strings are replaced by the secrets,
  ///     as are those of the view model's default config in members that `config` doesn't give.
  /// - Returns: the instance. A flow may have closed it already.
  /// - Throws: `mistake` for an unknown view model, a bad or used handle, or a secret that nobody
  ///   gave; `refused` for a config that is no object or doesn't fit its schema, or that the plugin
  ///   refuses; `contract` if the plugin breaks its contract.
  @discardableResult
  package func open(
    _ id: String, as handle: String? = nil, config: JSONValue? = nil
  ) throws(SessionError) -> SessionInstance {
    try finishDelivery()
    if let config {
      guard case .object = config else {
        throw SessionError(.refused(.config), "the config of \(id) must be a JSON object.")
      }
    }
    var bytes: [UInt8] = []
    let (plugin, viewModel) = try find(id)
    try secrets.resolve(config, of: viewModel, for: recipient(plugin))?.append(to: &bytes)
    let first = events.count
    budget.renew(at: now, ownTime)
    let instance: SessionInstance
    do throws(SessionError) {
      instance = try make(id, as: handle, config: bytes)
    } catch {
      show(.open(viewModel: id, handle: handle, config: config), from: first, endedBy: error)
      throw error
    }
    beginStep()
    defer { note(.open(viewModel: id, handle: handle, config: config), from: first) }
    try follow(from: first)
    return instance
  }

  /// Opens an instance, within a step.
  ///
  /// - Parameter config: a JSON object that holds the secrets themselves, or empty.
  @discardableResult
  func make(
    _ id: String, as handle: String?, config: [UInt8]
  ) throws(SessionError) -> SessionInstance {
    let (plugin, viewModel) = try find(id)
    let handle = handle ?? viewModel.defaultHandle
    try checkFlow(handle, is: id)
    guard ManifestReader.isPortName(handle[...]) else {
      throw SessionError(
        .mistake(.syntax),
        "\"\(handle)\" can't be a handle: use \(ManifestReader.portNameRule).")
    }
    guard byHandle[handle] == nil else {
      throw SessionError(
        .mistake(.handleTaken),
        "the handle \"\(handle)\" is taken. Open the second one under another handle, such as"
          + " \"\(handle)2\".")
    }
    try check(config: config, of: viewModel)
    var specification = InstanceSpecification(viewModel: id)
    specification.config = config
    specification.locale = options.locale
    specification.timeZone = options.timeZone
    specification.seed = Self.seed(options.seed, instance: nextNumber)
    specification.epoch = options.epoch
    specification.time = now
    let instance = SessionInstance(
      number: nextNumber, handle: handle, viewModel: viewModel, plugin: plugin,
      usage: plugins[plugin].usage, earlierRequests: lastRequestIDs[handle] ?? 0)
    if flow != nil { instance.config = config }
    nextNumber += 1
    handles.append(handle)
    byHandle[handle] = instance
    living.append(instance, number: instance.number)
    didChange(instance, by: 1)
    takePrinted()
    emissions.removeAll()
    plugins[plugin].connection.create(
      specification, as: instance.number, after: budget.use, into: &emissions)
    _ = budget.count(until: ownTime)
    takePrinted(of: plugin)
    if let last = emissions.records.last, last.kind == .refusal {
      forget(instance)
      // The seed of the next instance must not depend on this attempt.
      nextNumber -= 1
      handles.removeLast()
      let message = secrets.redacted(emissions.value(of: last))
      throw SessionError(
        .refused(Refusal.code(last.id)),
        "\(id) would not open: \(Refusal.description(last.id, message))")
    }
    note(.opened, instance)
    answered = EventBatch()
    try checkFirstFrame(of: instance)
    try takeEmissions(of: plugin, answering: EventBatch())
    try settle()
    return instance
  }

  /// Closes an instance. Its open requests are cancelled.
  ///
  /// - Throws: `mistake` for an unknown handle; `contract` if the plugin breaks its contract.
  package func close(_ handle: String) throws(SessionError) {
    try finishDelivery()
    let instance = try instance(handle)
    budget.renew(at: now, ownTime)
    let first = events.count
    beginStep()
    defer { note(.close(handle: handle), from: first) }
    try remove(instance)
  }

  /// Closes an instance, within a step.
  func remove(_ instance: SessionInstance) throws(SessionError) {
    defer {
      if flow != nil { closedConfigs[instance.number] = instance.config }
      lastRequestIDs[instance.handle] = instance.lastShownID
      forget(instance)
    }
    try end(instance, isLast: false)
    for (shown, id) in instance.shownRequests.sorted(by: { $0.key < $1.key }) {
      guard let request = instance.openRequests[id] else { continue }
      appendCancel(of: instance, request.effect, shown, to: &events)
    }
    note(.closed, instance)
  }

  /// Canonical JSON with its secrets replaced, as a recording has it.
  package func redacted(_ json: [UInt8]) -> [UInt8] {
    if let allSecrets, allSecrets.plugins == plugins.count {
      return allSecrets.secrets.redactedJSON(json)
    }
    let all = secrets.withPlaceholders(for: manifests.flatMap(\.viewModels))
    allSecrets = (plugins.count, all)
    return all.redactedJSON(json)
  }

  /// A config as it was given, with the secrets that it gets from the view model's default config.
  func givenConfig(_ config: JSONValue?, of id: String) -> JSONValue? {
    guard let (plugin, viewModel) = try? find(id) else { return config }
    return secrets.completed(config, of: viewModel, for: recipient(plugin))
  }

  /// The plugin with an index, as one that gets secrets.
  func recipient(_ plugin: Int) -> Secrets.Recipient {
    Secrets.Recipient(
      plugin: plugins[plugin].connection.manifest.id, isOnly: plugins.count == 1)
  }

  private func forget(_ instance: SessionInstance) {
    living.remove(instance.number)
    byHandle[instance.handle] = nil
    instance.release()
    didChange(instance, by: -1)
  }

  private func didChange(_ instance: SessionInstance, by count: Int) {
    changes += 1
    if flow?.actions[instance.handle] != nil { plugins[instance.plugin].navigating += count }
  }

  /// Each instance has a seed of its own, which depends only on the session's seed and the number
  /// of instances opened before.
  private static func seed(_ seed: UInt64, instance: Int32) -> UInt64 {
    var generator = SplitMix64(seed: seed, skipping: UInt64(UInt32(bitPattern: instance)))
    return generator.next()
  }

  /// The handle of the instance that an event is about, which no printed line is.
  package func handle(of record: EventBatch.Record) -> String { handles[Int(record.instance)] }
}

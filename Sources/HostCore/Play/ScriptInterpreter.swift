import Basics
import CanonicalJSON

/// Carries out the lines of a script on a session.
package final class ScriptInterpreter {
  package let driver: SessionDriver
  package var session: SessionEngine { driver.session }
  /// Returns the absolute path of the library with a name.
  let locate: (_ name: String) throws -> String
  /// Loads the library at a path, by the name that the user knows it by.
  let loadLibrary: (_ path: String, _ name: String) throws -> any PluginConnection
  var storage: any StorageBackend
  /// Whether the script's settings were applied in advance. They are not applied twice.
  package var isConfigured = false
  /// The folder of the script. Paths in the script are relative to it.
  package var folder: String?
  /// Where the script may name files; nil for anywhere.
  package var fence: PathFence?
  package enum Setting { case seed, time, locale, timeZone, flow }
  /// The settings that the command line has. They win over those of the script.
  package var fixed: Set<Setting> = []
  /// Makes the placeholders for the secrets that a replay names; nil in a live session.
  package var placeholders: ((Set<String>) -> Secrets)?
  /// The instances that were opened before the first line, by handle. An `@open` of one before the
  /// first step only says what is so already.
  private var given: [String: Given] = [:]
  private var lastPlugin: String?
  /// The ids of the plugins, by the paths of their libraries.
  var loaded: [String: String] = [:]
  /// What happened in the session, also where it went back from.
  var branches = SessionBranches()
  /// What the last build of a plugin couldn't do, with the rest of the history then, and how many
  /// steps the session has. The next build gets it again, unless the session has gone on.
  var unplayed: (history: SessionHistory, steps: Int)?
  /// The targets of recent inputs, by route. Most inputs go where an earlier one went, until
  /// something opens or closes.
  private var targets: [Target?] = Array(repeating: nil, count: RecentInputs.limit)
  /// The target of the last input.
  private var latest: Target?
  private var changes = 0
  private var scratch: [UInt8] = []

  package init(
    driver: SessionDriver, storage: any StorageBackend,
    locate: @escaping (_ name: String) throws -> String,
    load: @escaping (_ path: String, _ name: String) throws -> any PluginConnection
  ) {
    self.driver = driver
    self.locate = locate
    self.storage = storage
    loadLibrary = load
  }

  /// Loads a plugin by its name, unless it is loaded already.
  package func load(_ name: String) throws {
    let path = try locate(name)
    if let id = loaded[path] {
      lastPlugin = id
      return
    }
    let plugin = try session.add(named: name, at: path) { try loadLibrary(path, name) }
    loaded[path] = plugin.manifest.id
    lastPlugin = plugin.manifest.id
  }

  /// Adds an input to a batch.
  ///
  /// - Parameters:
  ///   - line: the bytes that the ranges of `input` refer to.
  ///   - tag: identifies the input in errors.
  ///   - seq: the number that the sender gave the line, which is answered.
  /// - Returns: false, without adding the input, if the batch is for another plugin. Deliver the
  ///   batch first.
  package func queue(
    _ input: ScriptLine.InputLine, _ line: Span<UInt8>, tag: UInt64, seq: UInt64? = nil,
    in batch: inout InputBatch
  ) throws -> Bool {
    let isAdded = try add(input, line, tag: tag, to: &batch)
    if isAdded, let seq { batch.wantAnswer(seq) }
    return isAdded
  }

  private func add(
    _ input: ScriptLine.InputLine, _ line: Span<UInt8>, tag: UInt64, to batch: inout InputBatch
  ) throws -> Bool {
    let target = try target(of: input, line)
    guard !input.valueIsCanonical else {
      return session.add(
        to: &batch, target.instance, target.port, value: line.extracting(input.value), tag: tag)
    }
    scratch.removeAll(keepingCapacity: scratch.capacity <= 1 << 20)
    do throws(JSONError) {
      try CanonicalJSON.append(line.extracting(input.value), to: &scratch)
    } catch {
      throw ScriptError(
        "the value is not JSON: \(error.detail).", at: input.value.lowerBound + error.offset)
    }
    let canonical = scratch
    return session.add(
      to: &batch, target.instance, target.port, value: canonical.span, tag: tag)
  }

  private func target(
    of input: ScriptLine.InputLine, _ line: Span<UInt8>
  ) throws -> Target {
    if session.changes != changes { forgetTargets() }
    if input.route >= 0 {
      if let latest, latest.route == input.route { return latest }
      if let known = targets[input.route % targets.count], known.route == input.route {
        latest = known
        return known
      }
    }
    let handle = line.extracting(input.handle)
    let name = line.extracting(input.name)
    let instance = try instance(
      input.handle.isEmpty ? nil : String(repairing: handle))
    let inputs = instance.viewModel.inputs
    guard let port = inputs.firstIndex(where: { $0.nameBytes.span.equals(name) }) else {
      let unknown = String(repairing: name)
      throw ScriptError(
        "\(instance.handle) has no input \"\(unknown)\"."
          + NearestName.hint(for: unknown, among: inputs.map(\.name)), at: .name,
        code: .unknownInput)
    }
    let target = Target(route: input.route, instance: instance, port: port)
    if input.route >= 0 { targets[input.route % targets.count] = target }
    return target
  }

  /// Forgets what it knows of the session, which is another one now.
  func forgetSession() {
    given = [:]
    forgetTargets()
  }

  private func forgetTargets() {
    for index in targets.indices { targets[index] = nil }
    latest = nil
    changes = session.changes
  }

  /// The target of an input. It is a class, because each line passes it on.
  private final class Target {
    let route: Int
    let instance: SessionInstance
    let port: Int

    init(route: Int, instance: SessionInstance, port: Int) {
      self.route = route
      self.instance = instance
      self.port = port
    }
  }

  private struct Given {
    let viewModel: String
    let config: JSONValue?
  }

  /// Opens an instance before the first line.
  package func openAtStart(
    _ viewModel: String, as handle: String?, config: JSONValue?
  ) throws {
    let instance = try driver.open(viewModel, as: handle, config: config)
    given[instance.handle] = Given(viewModel: viewModel, config: config)
    driver.takeEvents()
  }

  /// Whether an `@open` names an instance that was opened before the first line, just as it is.
  private func isGiven(
    _ viewModel: String, _ handle: String?, _ config: JSONValue?
  ) throws -> Bool {
    let handle = handle ?? ViewModelManifest.defaultHandle(of: viewModel)
    guard let present = given.removeValue(forKey: handle), present.viewModel == viewModel,
      session.isOpen(handle)
    else { return false }
    guard config == nil || config == present.config || config == .object([:]) else {
      throw ScriptError(
        "the command line opened \"\(handle)\" with another config. Give the config there"
          + " (--config), or name the plugin here (@plugin) and not there.", at: .subject,
        code: .handleTaken)
    }
    return true
  }

  /// The instance called `handle`; without a handle, the only instance.
  func instance(_ handle: String?) throws -> SessionInstance {
    given = [:]
    guard let handle else {
      if let only = session.instances.first, session.instances.count == 1 { return only }
      guard let first = session.instances.first else {
        guard session.isFresh else {
          throw ScriptError(
            "no instance is open any more.", at: .subject, code: .closed, isRace: true)
        }
        throw ScriptError(
          "no instance is open. Open one: @plugin movies.so, then @open movies.list.", at: .subject,
          code: .unknownInstance)
      }
      let handles = session.instances.map(\.handle).joined(separator: ", ")
      throw ScriptError(
        "several instances are open: \(handles). Write the handle before the name, as in"
          + " \(first.handle).name.", at: .subject, code: .unknownInstance)
    }
    do throws(SessionError) {
      return try session.instance(handle)
    } catch {
      throw ScriptError(error, at: .handle)
    }
  }

  /// Carries out a line that is not an input.
  ///
  /// - Parameters:
  ///   - others: descriptors whose readiness wakes a wait.
  ///   - isInterrupted: called while time passes; true ends the wait.
  ///   - seq: the number that the sender gave the line, which is answered.
  package func perform(
    _ command: ScriptCommand, seq: UInt64? = nil, watching others: [Descriptor.Interest],
    isInterrupted: () -> Bool
  ) throws {
    defer { driver.takeEvents() }
    try carryOut(command, seq: seq, watching: others, isInterrupted: isInterrupted)
    if let seq { session.answer(.done(step: session.steps), seq: seq) }
  }

  private func carryOut(
    _ command: ScriptCommand, seq: UInt64?, watching others: [Descriptor.Interest],
    isInterrupted: () -> Bool
  ) throws {
    if case .open(let viewModel, let handle, let config) = command,
      try isGiven(viewModel, handle, config)
    {
      return
    }
    if command.role == .step { given = [:] }
    switch command {
    case .version, .recorded, .end, .skip, .tags: break
    case .frame(let handle):
      let instance = try instance(handle)
      session.answer(
        .frame(handle: instance.handle, states: instance.states), seq: seq)
    case .control(let control):
      try carryOut(control, seq: seq, watching: others, isInterrupted: isInterrupted)
    case .plugin(let name): try load(name)
    case .open(let viewModel, let handle, let config):
      if let config { nameSecrets(Secrets.names(in: config)) }
      try driver.catchUp()
      try driver.open(viewModel, as: handle, config: config)
    case .close(let handle):
      try driver.catchUp()
      try driver.close(handle)
    case .reply(let handle, let id, let value):
      try driver.catchUp()
      try driver.reply(to: try instance(handle), id, value: value)
    case .failure(let handle, let id, let code, let message):
      try driver.catchUp()
      try driver.fail(try instance(handle), id, code: code, message: message)
    case .advance(let span):
      try driver.pass(span, watching: others, isInterrupted: isInterrupted)
    case .advanceUntilIdle:
      try driver.passUntilIdle(watching: others, isInterrupted: isInterrupted)
    case .store(let key, let value): try store(key, value)
    case .flow(let path):
      guard !fixed.contains(.flow) else { break }
      guard session.isFresh else {
        throw ScriptError(
          "@flow must come before the first instance is opened. If the command line opens it,"
            + " use --flow.", at: 0, code: .unsupported)
      }
      let file = Files.path(path, from: folder)
      try fence?.check(path, at: file)
      try useFlow(file, isNamedByUser: false)
    case .seed, .time, .locale, .timeZone, .record, .simulate:
      if !isConfigured { try configure(command) }
    }
  }

  /// Follows the flow in a file from now on.
  ///
  /// - Parameter isNamedByUser: whether the user names the file, and not a script.
  package func useFlow(_ path: String, isNamedByUser: Bool) throws {
    let document = try FlowDocument(contentsOf: path, isNamedByUser: isNamedByUser)
    nameSecrets(FlowRules.secrets(inFile: path))
    guard !session.manifests.isEmpty else {
      throw ScriptError(
        "there is no view model \"\(document.starts[0].viewModel)\", as no plugin is loaded yet."
          + " Write @flow after the @plugin lines.", at: 0, code: .unsupported)
    }
    try session.use(FlowRules(document, session.manifests))
  }

  /// Adds placeholders for secrets that a replay has named.
  private func nameSecrets(_ names: Set<String>) {
    guard let placeholders, !names.isSubset(of: session.secrets.names) else { return }
    session.use(placeholders(session.secrets.names.union(names)))
  }

  private func store(_ key: String, _ value: JSONValue?) throws {
    guard let lastPlugin else {
      throw ScriptError(
        "@storage comes after the @plugin whose storage it fills.", at: 0, code: .unsupported)
    }
    guard let value else { return try storage.delete(key, in: lastPlugin) }
    var bytes: [UInt8] = []
    value.append(to: &bytes)
    try storage.set(key, to: bytes, in: lastPlugin)
  }

  /// Applies a directive that sets an option of the session.
  package func configure(_ command: ScriptCommand) throws {
    guard session.instances.isEmpty else {
      throw ScriptError(
        "this must come before the first instance is opened. If the command line opens it, use"
          + " --seed, --time, --locale or --time-zone.", at: 0, code: .unsupported)
    }
    session.configure { options in
      switch command {
      case .seed(let seed): if !fixed.contains(.seed) { options.seed = seed }
      case .time(let time): if !fixed.contains(.time) { options.epoch = time }
      case .locale(let locale): if !fixed.contains(.locale) { options.locale = locale }
      case .timeZone(let zone): if !fixed.contains(.timeZone) { options.timeZone = zone }
      case .record(let effect): options.recorded.insert(effect)
      case .simulate(let effect): options.recorded.remove(effect)
      case .version, .plugin, .open, .close, .reply, .failure, .advance, .advanceUntilIdle, .store,
        .flow, .recorded, .end, .skip, .tags, .frame, .control:
        preconditionFailure("\(command) is no setting")
      }
    }
  }
}

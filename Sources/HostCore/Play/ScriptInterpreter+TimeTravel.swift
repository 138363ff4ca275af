import Basics
import CanonicalJSON

// Going to other steps of the session, and reloading its plugins. In both cases the history is
// played again in new workers, and the session goes on from there.
extension ScriptInterpreter {
  /// Goes to a step, back or forward.
  ///
  /// - Parameters:
  ///   - branch: the branch of the step; nil for the one where the session is.
  ///   - isInterrupted: called between steps; true leaves the session as it is.
  package func go(
    to step: Int, branch: Int? = nil, seq: UInt64? = nil, isInterrupted: () -> Bool
  ) throws {
    try driver.finishDelivery()
    let history = try reachableHistory(branch)
    guard step <= history.steps else {
      throw ScriptError(
        "there is no step \(step): the last one is \(history.steps).", at: .subject,
        code: .unsupported)
    }
    let target = history.prefix(step)
    let old = session
    let (replay, storage) = try repeated(target, isInterrupted: isInterrupted)
    let player = replay.player
    let new = replay.driver.session
    let copiesStore = !(self.storage is MemoryStorage)
    let numbers = Self.numbers(of: player, old, new, keepsOpen: false)
    var whole = history
    whole.renumber(numbers.byOld)
    new.renumber(numbers.byNew, above: numbers.highest)
    leave(for: new, keeping: [])
    self.storage = storage
    driver.adopt(new)
    forgetSession()
    branches.go(to: step, of: branch ?? branches.current, whole)
    unplayed = nil
    var change = SessionChange(
      .went(
        steps: whole.steps, copiesStore: copiesStore, branch: branches.current,
        branches: branches.summaries),
      step: step)
    change.left = leftRequests(new.openRequests)
    change.frames = Self.frames(of: new, old)
    arrive(with: change, from: old, seq: seq)
  }

  /// The plugins of the session, as the user named them, with the SHA-256 of each library.
  package var libraries: [(name: String, digest: String?)] {
    session.plugins.map { ($0.name, $0.connection.digest) }
  }

  /// Loads a plugin anew, and replays the session in it. If that isn't possible, the old build goes
  /// on.
  ///
  /// - Parameter name: the plugin as the user named it.
  /// - Throws: the error of a broken session. Whatever is wrong with the new build is told.
  package func reload(_ name: String, isInterrupted: () -> Bool) throws {
    try driver.finishDelivery()
    try driver.catchUp()
    guard let index = session.plugins.firstIndex(where: { $0.name == name }) else { return }
    do {
      try reload(index, isInterrupted: isInterrupted)
    } catch {
      let reason = SessionFailure(error).description
      session.answer(
        .changed(
          SessionChange(
            .keptOld(plugin: session.manifests[index].id, reason: reason), step: session.steps)),
        seq: nil)
    }
    driver.takeEvents()
  }

  private func reload(_ index: Int, isInterrupted: () -> Bool) throws {
    let old = session
    guard var history = old.history else { throw Self.notRestartable }
    // What an earlier build couldn't do, the next one may.
    if let unplayed, unplayed.steps == old.steps { history = unplayed.history }
    guard !history.isDropped else { throw Self.tooLong(history) }
    let name = old.plugins[index].name
    let path = try locate(name)
    let plugins = try old.plugins.indices.map { position in
      position == index
        ? try loadLibrary(path, name) : try Self.another(old.plugins[position].connection)
    }
    let flow = try old.flow.map { flow in
      try FlowRules(
        FlowDocument(contentsOf: flow.path, isNamedByUser: true), plugins.map(\.manifest))
    }
    let (replay, _) = try self.replay(
      history, plugins, repeats: false, flow: flow, until: old.now, isInterrupted: isInterrupted)
    guard !replay.player.isInterrupted else { throw interrupted }
    let player = replay.player
    let new = replay.driver.session
    guard new.history?.isDropped == false else { throw Self.tooLong(history) }
    try new.useStore(storage, forPlugin: index, at: path)
    let numbers = Self.numbers(of: player, old, new, keepsOpen: true)
    new.renumber(numbers.byNew, above: numbers.highest)
    leave(for: new, keeping: numbers.kept)
    driver.adopt(new)
    forgetSession()
    if let history = old.history { branches.restart(after: history) }
    unplayed = player.isWhole ? nil : (history, new.steps)
    let id = new.manifests[index].id
    loaded = loaded.filter { $0.value != old.manifests[index].id }
    loaded[path] = id
    let others = new.openRequests.filter { request in
      guard let instance = new.openInstance(request.handle) else { return false }
      return !numbers.kept.contains(
        SessionHistory.RequestKey(instance: instance.number, id: request.id))
    }
    var change = SessionChange(
      .reloaded(
        plugin: id, differences: player.changed.count, skipped: player.skipped.count,
        steps: history.steps),
      step: new.steps)
    let asked = others.filter { isAskedAgain($0) }
    change.left = leftRequests(others.filter { !isAskedAgain($0) })
    change.details = Self.details(of: player, numbers.byNew, history, old)
    change.frames = Self.frames(of: new, old).filter { !$0.changed.isEmpty }
    arrive(with: change, from: old, seq: nil)
    for request in asked { new.askAgain(request.handle, request.id) }
  }

  // MARK: Playing the history

  /// The library of a plugin in another process.
  private static func another(
    _ plugin: any PluginConnection
  ) throws -> any PluginConnection {
    guard let other = try plugin.another() else { throw notRestartable }
    return other
  }

  struct Replay {
    let player: HistoryPlayer
    let driver: SessionDriver
  }

  /// The steps of a branch that one can go to: those of the session, and those that it went back
  /// from.
  ///
  /// - Parameter branch: nil for the branch where the session is.
  /// - Throws: `ScriptError` if the session has no history, or no such branch.
  package func reachableHistory(_ branch: Int? = nil) throws -> SessionHistory {
    branches.take(try keptHistory())
    return try branches.history(of: branch)
  }

  /// Drops branches if the session has got too much history beside them.
  func limitBranches() {
    guard let history = session.history, branches.isFull(beside: history) else { return }
    branches.take(history)
  }

  /// The history of the session.
  ///
  /// - Throws: `ScriptError` if the session has none.
  func keptHistory() throws -> SessionHistory {
    guard !driver.isRecording else {
      throw ScriptError(
        "a session that is recorded with --record keeps no history of its own.", at: .subject,
        code: .unsupported)
    }
    guard let history = session.history else { throw Self.notRestartable }
    guard !history.isDropped else { throw Self.tooLong(history) }
    return history
  }

  private static let notRestartable = ScriptError(
    "this needs plugins in processes of their own, so it can't be combined with --in-process or"
      + " --backtrace.",
    at: .subject, code: .unsupported)

  private static func tooLong(_ history: SessionHistory) -> ScriptError {
    ScriptError(
      "the session has more than \(history.maxBytes / 1_000_000) MB of history, which isn't kept"
        + " any more.", at: .subject, code: .unsupported)
  }

  private var interrupted: ScriptError {
    ScriptError(
      "interrupted: the session is still at step \(session.steps).", at: .subject,
      code: .unsupported)
  }

  /// Plays a history in a new session with the same builds of its plugins.
  func repeated(
    _ history: SessionHistory, recorder: TranscriptRecorder? = nil, isInterrupted: () -> Bool
  ) throws -> (Replay, MemoryStorage) {
    let plugins = try session.connections.map(Self.another)
    do {
      let result = try replay(
        history, plugins, repeats: true, flow: session.flow, recorder: recorder,
        isInterrupted: isInterrupted)
      let player = result.0.player
      guard !player.isInterrupted else { throw interrupted }
      if let changed = player.changed.first {
        throw ScriptError(
          "step \(changed.step) can't be repeated: the plugin did something else this time.",
          at: .subject, code: .unsupported)
      }
      return result
    } catch let error as SessionError where error.code == .contract {
      // Only the new process has broken down.
      throw ScriptError(
        "the session stays at step \(session.steps), as its steps can't be repeated:"
          + " \(error.description)", at: .subject, code: .unsupported)
    }
  }

  /// Plays a history in a new session with these plugins.
  ///
  /// - Parameters:
  ///   - repeats: whether they are the same builds.
  ///   - end: the time of the session up to which to go.
  /// - Returns: also the store of the new session.
  private func replay(
    _ history: SessionHistory, _ plugins: [any PluginConnection], repeats: Bool,
    flow: FlowRules?, until end: Nanoseconds? = nil, recorder: TranscriptRecorder? = nil,
    isInterrupted: () -> Bool
  ) throws -> (Replay, MemoryStorage) {
    let old = session
    let storage = MemoryStorage()
    for id in old.manifests.map(\.id) {
      for (key, value) in old.historyStorage?.original(of: id) ?? [:] {
        storage.set(key, to: value, in: id)
      }
    }
    let new = SessionEngine(options: old.options, storage: storage, secrets: old.secrets)
    for (plugin, connection) in zip(old.plugins, plugins) {
      try new.add(connection, named: plugin.name)
    }
    if let flow { try new.use(flow) }
    new.keepHistory()
    let driver = SessionDriver(
      session: new, clock: .virtual, providers: [], report: { _ in }, complain: { _ in })
    if let recorder { driver.record(with: recorder) }
    let player = HistoryPlayer(
      history, in: driver, storage: storage, repeats: repeats)
    try player.play(until: end, isInterrupted: isInterrupted)
    driver.takeEvents()
    return (Replay(player: player, driver: driver), storage)
  }

  // MARK: Requests

  private struct Numbers {
    /// The numbers of requests of the new session.
    var byNew: [SessionHistory.RequestKey: UInt64] = [:]
    /// The new numbers of requests of the old session.
    var byOld: [SessionHistory.RequestKey: UInt64] = [:]
    /// The requests of the new session that are still being answered, by their new numbers.
    var kept: Set<SessionHistory.RequestKey> = []
    /// The highest numbers, by handle.
    var highest: [String: UInt64] = [:]
  }

  /// Numbers the requests of a new session so that no number stands for two questions.
  ///
  /// - Parameter keepsOpen: whether a request that is open in both keeps its number.
  private static func numbers(
    of player: HistoryPlayer, _ old: SessionEngine, _ new: SessionEngine, keepsOpen: Bool
  ) -> Numbers {
    var numbers = Numbers()
    numbers.highest = old.highestRequestIDs
    for key in player.pairing.all {
      let isOpen = new.living[key.instance]?.effect(of: key.id) != nil
      let before = player.pairing.old[key]
      // A handle and a number stand for one question as long as the session lasts.
      let handle = new.handles[Int(key.instance)]
      let wasOpen = before.map { old.openInstance(handle)?.effect(of: $0.id) != nil } ?? false
      if let before, !isOpen || (keepsOpen && wasOpen) {
        numbers.byNew[key] = before.id
        if isOpen {
          numbers.kept.insert(SessionHistory.RequestKey(instance: key.instance, id: before.id))
        }
        continue
      }
      let number = numbers.highest[handle, default: 0] + 1
      numbers.highest[handle] = number
      numbers.byNew[key] = number
      if let before { numbers.byOld[before] = number }
    }
    return numbers
  }

  /// Whether a request asks only for something, so that asking it once more does no harm.
  private func isAskedAgain(_ request: (handle: String, id: UInt64, effect: String)) -> Bool {
    guard request.effect == "http" else { return false }
    let value = session.requestValue(request.handle, request.id)
    let method = (try? JSONValue(parsing: value.span))?["method"]
    return method == nil || method?.stringValue?.uppercased() == "GET"
  }

  private func leftRequests(
    _ requests: [(handle: String, id: UInt64, effect: String)]
  ) -> [SessionChange.UnaskedRequest] {
    requests.map {
      SessionChange.UnaskedRequest(handle: $0.handle, id: $0.id, effect: $0.effect)
    }
  }

  // MARK: The switch

  /// Tells what ends with the present session: open requests, and instances.
  ///
  /// - Parameter kept: the requests of the new session that are still being answered.
  private func leave(for new: SessionEngine, keeping kept: Set<SessionHistory.RequestKey>) {
    let old = session
    for (handle, id, effect) in old.openRequests {
      guard let instance = old.openInstance(handle) else { continue }
      if let other = new.openInstance(handle),
        kept.contains(SessionHistory.RequestKey(instance: other.number, id: id))
      {
        continue
      }
      old.appendCancel(of: instance, effect, id, to: &old.events)
    }
    for instance in old.instances where !Self.isSame(instance, new.openInstance(instance.handle)) {
      old.appendNote(.closed, instance)
    }
    driver.takeEvents()
  }

  /// Tells what is new: the change itself, and instances.
  private func arrive(with change: SessionChange, from old: SessionEngine, seq: UInt64?) {
    for instance in session.instances
    where !Self.isSame(instance, old.openInstance(instance.handle)) {
      session.appendNote(.opened, instance)
    }
    session.answer(.changed(change), seq: seq)
  }

  /// Whether two instances of a session and its replay are the same to whoever shows them.
  private static func isSame(_ instance: SessionInstance, _ other: SessionInstance?) -> Bool {
    other?.viewModel.id == instance.viewModel.id && other?.number == instance.number
  }

  private static func frames(of new: SessionEngine, _ old: SessionEngine) -> [SessionChange
    .InstanceStates]
  {
    new.instances.map { instance in
      let before = old.openInstance(instance.handle)
      let changed = zip(instance.viewModel.states, instance.frame).filter { state, value in
        let index = before?.viewModel.states.firstIndex { $0.name == state.name }
        return index.map { before?.frame[$0] != value } ?? true
      }
      return SessionChange.InstanceStates(
        handle: instance.handle, states: instance.states,
        changed: changed.map { ($0.name, $1) })
    }
  }

  /// The maximum number of steps whose differences are shown.
  private static let maxShown = 5

  private static func details(
    of player: HistoryPlayer, _ numbers: [SessionHistory.RequestKey: UInt64],
    _ history: SessionHistory, _ old: SessionEngine
  ) -> [String] {
    var details: [String] = []
    let line = { (step: Int) in
      history.lines(of: step - 1..<step, in: old).first?.text ?? "afterwards"
    }
    if !player.changed.isEmpty { details.append("- before   + now") }
    for changed in player.changed.prefix(maxShown) {
      details.append("step \(changed.step): \(line(changed.step))")
      let text = player.difference(of: changed, numbers)?.text(style: nil, hasLegend: false) ?? ""
      details += text.split(separator: "\n").map { "  \($0)" }
    }
    if player.changed.count > maxShown {
      details.append("… \(player.changed.count - maxShown) more steps differ")
    }
    for skipped in player.skipped.prefix(maxShown) {
      details.append("skipped step \(skipped.step): \(line(skipped.step)): \(skipped.reason)")
    }
    if player.skipped.count > maxShown {
      details.append("… \(player.skipped.count - maxShown) more steps were skipped")
    }
    return details
  }
}

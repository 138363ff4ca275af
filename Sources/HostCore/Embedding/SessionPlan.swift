import Basics

/// A session as the app asked for it, with its options checked.
struct SessionPlan: Sendable {
  let plugins: [String]
  /// The path of a flow file.
  let flow: String?
  let configuration: SessionConfiguration
  let handlers: [String: EffectAnswer.Handler]
  let log: (@Sendable (LogMessage) -> Void)?

  init(
    host: Host, plugins: [String], flow: String?, options: SessionOptions
  ) throws(HostError) {
    self.plugins = plugins
    self.flow = flow
    log = options.log
    handlers = options.effects.compactMapValues { answer in
      if case .handler(let handler) = answer.source { handler } else { nil }
    }
    var made = SessionConfiguration()
    made.isolation = try host.isolation.resolved()
    made.lock = try host.pluginLock()
    made.pluginPath = host.pluginPath
    made.clock = options.clock == .live ? .live : .virtual
    made.seed = options.seed
    made.time = options.time?.wholeNanoseconds
    made.locale = options.locale
    made.timeZone = options.timeZone
    made.secrets = try Self.secrets(options.secrets)
    if case .file(let path) = options.store { made.store = path }
    if let id = options.adoptedStores.min(), made.store == nil {
      throw HostError(.invalid, "a store in memory has nothing that \"\(id)\" could adopt.")
    }
    made.adoptedStores = options.adoptedStores
    made.handled = Set(options.effects.keys)
    made.providers = options.effects.sorted { $0.key < $1.key }.compactMap { effect, answer in
      guard case .command(let command) = answer.source else { return nil }
      return SessionConfiguration.Provider(effect: effect, command: command)
    }
    made.limits = try options.limits.checked(options.stepTimeout)
    configuration = made
  }

  private static func secrets(_ values: [String: String]) throws(HostError) -> Secrets {
    var secrets = Secrets()
    for (text, value) in values {
      guard let (plugin, name) = Secrets.parts(of: text) else {
        throw HostError(.invalid, "\"\(text)\" can't be a secret's name: it is \(Secrets.form).")
      }
      guard value.utf8.count >= Secrets.minBytes else {
        throw HostError(
          .invalid,
          "the secret \"\(text)\" has fewer than \(Secrets.minBytes) bytes. Too much text would"
            + " be replaced by \(Secrets.placeholder(for: name)).")
      }
      secrets.add(name, for: plugin, value: value)
    }
    return secrets
  }

  /// Loads all plugins.
  func load(into engine: SessionEngine) throws -> [LoadedPlugin] {
    let locator = try configuration.locator()
    let limits = configuration.limits
    let loaded = try plugins.map { name in
      let path = try locator.absolutePath(of: name)
      let connection = try engine.add(named: name, at: path) {
        try configuration.isolation.load(
          path, named: name, limits, lock: configuration.lock,
          // An app may have several sessions, which share the library.
          inProcess: { try ExclusivePlugin(path: path, name: name, limits: limits) })
      }
      return LoadedPlugin(name, connection)
    }
    let ids = loaded.map(\.id)
    try configuration.checkAdopted(among: ids)
    if let other = configuration.secrets.plugins.subtracting(ids).min() {
      throw HostError(
        .invalid,
        "there are secrets for the plugin \"\(other)\", which this session doesn't have."
          + NearestName.hint(for: other, among: ids))
    }
    return loaded
  }
}

extension StepLimits {
  /// The limits that an app asks for, with the time of a step. Those that would be no real limits
  /// are lowered.
  ///
  /// - Throws: `invalid` if one isn't positive.
  func checked(_ timeout: Duration) throws(HostError) -> StepLimits {
    guard timeout > .zero else {
      throw HostError(.invalid, "\(timeout) can't be the time limit of a step.")
    }
    var checked = self
    for limit in StepLimit.allCases {
      guard self[limit] > 0 else {
        throw HostError(.invalid, "the limit \"\(limit.rawValue)\" can't be \(self[limit]).")
      }
      checked[limit] = min(self[limit], limit.max)
    }
    checked.time = min(max(timeout.wholeNanoseconds, 1), Self.maxTime)
    return checked
  }
}

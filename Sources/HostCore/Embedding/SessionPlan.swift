/// What an app asked a session to be; makes the parts of it.
struct SessionPlan: Sendable {
  let host: Host
  let plugins: [String]
  /// The path of a flow file.
  let flow: String?
  let options: SessionOptions

  // MARK: Options

  var engineOptions: SessionEngine.Options {
    var made = SessionEngine.Options()
    var random = SystemRandomNumberGenerator()
    made.seed = options.seed ?? random.next()
    made.epoch = options.time?.wholeNanoseconds ?? SystemClock.wall()
    made.locale = options.locale
    made.timeZone = options.timeZone
    // Who names one of the engine's own effects means to answer it.
    made.recorded = Set(SimulatedEffect.names).intersection(options.effects.keys)
    return made
  }

  private static let shortestSecret = 4

  func secrets() throws(HostError) -> Secrets {
    var secrets = Secrets()
    for (name, value) in options.secrets {
      guard value.utf8.count >= Self.shortestSecret else {
        throw HostError(
          .invalid,
          "the secret \"\(name)\" has fewer than \(Self.shortestSecret) bytes. Whatever is shown"
            + " would be full of SECRET_\(name).")
      }
      secrets.add(name, value: value)
    }
    return secrets
  }

  func storage() throws(StorageError) -> any StorageBackend {
    switch options.store {
    case .memory: MemoryStorage()
    case .file(let path): try DatabaseStorage(path: path)
    }
  }

  // MARK: Effects

  var handlers: [String: EffectAnswer.Handler] {
    options.effects.compactMapValues { answer in
      if case .handler(let handler) = answer.source { handler } else { nil }
    }
  }

  /// The programs that answer effects. One that the app answers has none: `http` has `vmhost-http`
  /// otherwise, which lies beside the worker, or beside the app.
  func providers(_ worker: Sandbox?) throws(SystemError) -> [EffectProvider] {
    var folder = try Files.executableFolder()
    if let path = worker?.worker, let slash = path.lastIndex(of: "/") {
      folder = String(path[..<slash])
    }
    let commands = options.effects.sorted { $0.key < $1.key }.compactMap { effect, answer in
      if case .command(let command) = answer.source {
        EffectProvider(effect: effect, command: .shell(command))
      } else {
        nil
      }
    }
    guard options.effects["http"] == nil else { return commands }
    return commands
      + [EffectProvider(effect: "http", command: .executable("\(folder)/vmhost-http"))]
  }

  // MARK: Plugins

  /// 365 days: as good as for ever, and the machine's clock can still count that far ahead.
  private static let longestStep: Nanoseconds = 365 * 24 * 3_600_000_000_000

  /// Less, and not even the plugin's runtime fits.
  private static let leastMemory: UInt64 = 16 << 20

  private func limits() throws(HostError) -> StepLimits {
    guard options.stepTimeout > .zero else {
      throw HostError(.invalid, "a step can't take \(options.stepTimeout) at the most.")
    }
    var limits = StepLimits()
    let time = options.stepTimeout.wholeNanoseconds
    limits.time = min(max(time, 1), Self.longestStep)
    return limits
  }

  /// How plugins are confined; nil for those that are loaded into this process.
  func sandbox() throws(HostError) -> Sandbox? {
    guard case .worker(let path, let mode, let memory) = host.isolation.place else { return nil }
    guard memory >= Self.leastMemory else {
      throw HostError(
        .invalid, "memory: \(memory) is not a size such as 512M or 2G, of at least 16M.")
    }
    let worker = if let path { path } else { try WorkerLocator.path() }
    return Sandbox(mode, memory: memory, worker: worker)
  }

  /// Loads all plugins.
  ///
  /// - Parameter printed: gets each line that a plugin in a process of its own prints.
  func load(
    into engine: SessionEngine, _ sandbox: Sandbox?, printed: @escaping (String) -> Void
  ) throws -> [LoadedPlugin] {
    let locator = PluginLocator(
      script: nil, given: host.pluginPath, variable: Environment.value("VMHOST_PLUGIN_PATH"),
      executable: try Files.executableFolder())
    let limits = try self.limits()
    return try plugins.map { name in
      let path = try Files.absolute(try locator.path(of: name))
      let connection: any PluginConnection
      var digest: String?
      if let sandbox {
        let plugin = try RemotePlugin(
          path: path, name: name, limits: limits, sandbox: sandbox, printed: printed)
        digest = plugin.digest
        connection = plugin
      } else {
        connection = try ExclusivePlugin(path: path, name: name, limits: limits)
      }
      try engine.add(connection, named: name)
      let manifest = connection.manifest
      return LoadedPlugin(
        name: name, id: manifest.id, version: manifest.version,
        viewModels: manifest.viewModels.map(\.id), manifest: manifest.json, digest: digest)
    }
  }
}

import HostCore

/// Where a command loads its plugins.
enum Isolation: Sendable {
  /// Into vmhost itself, which ends with them.
  case inProcess
  /// Each into a worker.
  case worker(Sandbox)

  init(_ arguments: ParsedArguments) throws(Failure) {
    let mode = arguments.value(of: "sandbox").flatMap(SandboxMode.init)
    let memory: UInt64? = try arguments.read("memory", as: ByteCount.form, ByteCount.parse)
    guard arguments.flag("in-process") else {
      self = .worker(Sandbox(mode ?? .bestEffort, memory: memory ?? Confinement.defaultMemory))
      return
    }
    if let option = mode != nil ? "sandbox" : memory != nil ? "memory" : nil {
      throw Failure(
        .usage,
        "--\(option) is for plugins in processes of their own: it can't go with --in-process.")
    }
    self = .inProcess
  }

  /// How the first line of JSON Lines calls it.
  var name: String {
    switch self {
    case .inProcess: "in-process"
    case .worker(let sandbox): sandbox.mode.rawValue
    }
  }

  /// Whether a worker is believed where nothing is at stake but the plugin's own tests.
  var trustsWorkers: Bool {
    guard case .worker(let sandbox) = self else { return false }
    return sandbox.mode != .strict
  }

  /// What a user must know before a plugin runs, or nil.
  var notice: String? {
    guard case .worker(let sandbox) = self, sandbox.mode == .off else { return nil }
    return "vmhost: --sandbox=off: plugins run unconfined, with all the rights that you have.\n"
  }

  /// Loads a plugin.
  ///
  /// - Parameters:
  ///   - name: the plugin as the user named it.
  ///   - interruption: ends the wait for a plugin in a process of its own.
  ///   - backtrace: records what the plugin is asked, if a backtrace may be wanted.
  ///   - watch: gets a plugin that is in this process.
  ///   - printed: gets each line that a plugin in a process of its own prints.
  func load(
    _ path: String, named name: String, _ limits: StepLimits = StepLimits(),
    backtrace: BacktraceReport? = nil, interruption: Interruption? = nil,
    watch: (LocalPlugin) throws -> Void,
    printed: @escaping (String) -> Void
  ) throws -> any PluginConnection {
    switch self {
    case .inProcess:
      let plugin = try LocalPlugin(path: path, name: name, limits: limits)
      try watch(plugin)
      return plugin
    case .worker(let sandbox):
      let load = { () throws(PluginLoadError) in
        try RemotePlugin(
          path: path, name: name, limits: limits, sandbox: sandbox, interruption: interruption,
          printed: printed)
      }
      return try backtrace?.record(path, name, load) ?? load()
    }
  }
}

extension Isolation {
  /// The same, with processes that differ in what must not matter to a plugin.
  func varied(_ variation: Int) -> Isolation {
    guard case .worker(var sandbox) = self else { return self }
    sandbox.variation = variation
    return .worker(sandbox)
  }
}

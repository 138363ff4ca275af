/// Where plugins are loaded.
package enum PluginIsolation: Sendable {
  /// Into this very process, which ends with them.
  case inProcess
  /// Each into a worker.
  case worker(Sandbox)

  /// How the first line of JSON Lines calls it.
  package var name: String {
    switch self {
    case .inProcess: "in-process"
    case .worker(let sandbox): sandbox.mode.rawValue
    }
  }

  /// Whether a worker is believed where nothing is at stake but the plugin's own tests.
  package var trustsWorkers: Bool {
    guard case .worker(let sandbox) = self else { return false }
    return sandbox.mode != .strict
  }

  /// What a user must know before a plugin runs, or nil.
  package var notice: String? {
    guard case .worker(let sandbox) = self, sandbox.mode == .off else { return nil }
    return "vmhost: --sandbox=off: plugins run unconfined, with all the rights that you have.\n"
  }

  /// Loads a plugin in a process of its own.
  package typealias WorkerLoading = () throws(PluginLoadError) -> RemotePlugin

  /// Loads a plugin.
  ///
  /// - Parameters:
  ///   - name: the plugin as the user named it.
  ///   - interruption: ends the wait for a plugin in a process of its own.
  ///   - inProcess: loads a plugin into this process.
  ///   - inWorker: gets what loads a plugin in a process of its own, and calls it.
  ///   - printed: gets each line that a plugin in a process of its own prints.
  package func load(
    _ path: String, named name: String, _ limits: StepLimits = StepLimits(),
    interruption: Interruption? = nil, inProcess: () throws -> any PluginConnection,
    inWorker: (WorkerLoading) throws -> any PluginConnection = { try $0() },
    printed: @escaping (String) -> Void
  ) throws -> any PluginConnection {
    switch self {
    case .inProcess: try inProcess()
    case .worker(let sandbox):
      try inWorker { () throws(PluginLoadError) in
        try RemotePlugin(
          path: path, name: name, limits: limits, sandbox: sandbox, interruption: interruption,
          printed: printed)
      }
    }
  }
}

extension PluginIsolation {
  /// The same, with processes that differ in what must not matter to a plugin.
  package func varied(_ variation: Int) -> PluginIsolation {
    guard case .worker(var sandbox) = self else { return self }
    sandbox.variation = variation
    return .worker(sandbox)
  }
}

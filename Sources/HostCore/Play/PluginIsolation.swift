/// In which process plugins are loaded.
package enum PluginIsolation: Sendable {
  /// In this process, which ends if they crash.
  case inProcess
  /// Each in a worker.
  case worker(Sandbox)

  /// The name in the first line of JSON Lines.
  package var name: String {
    switch self {
    case .inProcess: "in-process"
    case .worker(let sandbox): sandbox.mode.rawValue
    }
  }

  /// How workers are confined; nil in this process.
  package var sandbox: Sandbox? { if case .worker(let sandbox) = self { sandbox } else { nil } }

  /// Whether a worker's own verdict on a transcript is accepted. Only the plugin's tests depend on
  /// that.
  package var trustsWorkers: Bool {
    guard case .worker(let sandbox) = self else { return false }
    return sandbox.mode != .strict
  }

  /// A warning for the user before a plugin runs, or nil.
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
  ///   - lock: the libraries that may be loaded; nil for any.
  ///   - interruption: ends the wait for a plugin in a process of its own.
  ///   - inProcess: loads a plugin into this process.
  ///   - inWorker: gets a closure that loads a plugin in a process of its own, and calls it.
  package func load(
    _ path: String, named name: String, _ limits: StepLimits = StepLimits(), lock: PluginLock?,
    interruption: Interruption? = nil, inProcess: () throws -> any PluginConnection,
    inWorker: (WorkerLoading) throws -> any PluginConnection = { try $0() }
  ) throws -> any PluginConnection {
    switch self {
    case .inProcess: try Self.load(path, named: name, lock, inProcess)
    case .worker(let sandbox):
      try inWorker { () throws(PluginLoadError) in
        try RemotePlugin(
          path: path, name: name, limits: limits, sandbox: sandbox, lock: lock,
          interruption: interruption)
      }
    }
  }

  /// Loads a plugin into this process, once a lock has allowed it.
  private static func load(
    _ path: String, named name: String, _ lock: PluginLock?,
    _ load: () throws -> any PluginConnection
  ) throws -> any PluginConnection {
    guard let lock else { return try load() }
    let hashes = try LibraryHashes(of: path, named: name)
    let entry = try lock.entry(for: hashes, at: path, named: name)
    let plugin = try load()
    try hashes.requireUnchanged()
    try lock.check(plugin.manifest.id, is: entry, named: name)
    return plugin
  }
}

extension PluginIsolation {
  /// The same isolation, but with processes that differ in ways that must not matter to a plugin.
  package func varied(_ variation: Int) -> PluginIsolation {
    guard case .worker(var sandbox) = self else { return self }
    sandbox.variation = variation
    return .worker(sandbox)
  }

  /// The same isolation, with a worker that has been started already.
  package func using(_ standby: StandbyWorker?) -> PluginIsolation {
    guard case .worker(var sandbox) = self else { return self }
    sandbox.standby = standby
    return .worker(sandbox)
  }

  /// The same isolation for a machine all of whose processors have work: nobody waits awake.
  package func sparing() -> PluginIsolation {
    guard case .worker(var sandbox) = self else { return self }
    sandbox.waitsAwake = false
    return .worker(sandbox)
  }
}

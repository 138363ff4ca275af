import HostCore

/// Loads the plugins that a command line names, for commands that only look at them.
struct PluginLoading {
  private let locator: PluginLocator
  private let limits: StepLimits
  private let isolation: PluginIsolation
  private let lock: PluginLock?
  private let hangReport: HangReport

  init(_ arguments: ParsedArguments, _ output: Output, lock: PluginLock? = nil) throws {
    var configuration = SessionConfiguration()
    configuration.pluginPath = arguments.values(of: "plugin-path")
    locator = try configuration.locator()
    limits = configuration.limits
    isolation = try PluginIsolation(arguments)
    self.lock = lock
    if let notice = isolation.notice { Console.complain(notice) }
    hangReport = HangReport(Watchdog(limits: limits), output: output, consequence: "")
  }

  func path(of name: String) throws -> String { try locator.absolutePath(of: name) }

  /// Loads a plugin. What it prints goes to standard error.
  func load(_ path: String, named name: String) throws -> any PluginConnection {
    do {
      let plugin = try isolation.load(
        path, named: name, limits, lock: lock,
        inProcess: { try LocalPlugin.load(path, name, limits, watch: hangReport.watch) })
      show(plugin.takePrinted(), of: name)
      return plugin
    } catch let error as PluginLoadError {
      show(error.printed, of: name)
      throw error
    }
  }

  private func show(_ printed: [String], of name: String) {
    for line in printed { Console.complain("\(name) printed: \(line)\n") }
  }
}

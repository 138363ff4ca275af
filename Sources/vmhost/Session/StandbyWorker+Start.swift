import HostCore

extension StandbyWorker {
  /// Starts a worker while the command line is read, for a command that will probably need one of
  /// the usual kind.
  static func start(for arguments: ArraySlice<String>) -> StandbyWorker? {
    guard arguments.first == "run", !arguments.contains(where: isForOthers) else { return nil }
    // If that fails, it fails again where a plugin is loaded, and is reported there.
    return try? StandbyWorker()
  }

  /// Whether an argument may ask for another kind of worker, or for none.
  private static func isForOthers(_ argument: String) -> Bool {
    ["--sandbox", "--in-process", "--help", "-h"].contains { argument.hasPrefix($0) }
  }
}

import HostShims

extension ConfinedProcess.Command {
  /// Makes the command of a worker. It is the same for all libraries.
  init(_ sandbox: Sandbox) {
    var environment = Self.fixedEnvironment(searchPath: Self.searchPath)
    if sandbox.variation > 0 { environment.removeAll { $0.hasPrefix(Self.fixedHashing + "=") } }
    if sandbox.refusesThreads { environment.append(Self.refusingThreads + "=1") }
    self.init(
      executable: sandbox.worker,
      arguments: ["vmhost"] + WorkerEntry.arguments,
      environment: sandbox.backtracer?.environment(environment) ?? environment,
      layers: sandbox.confinement.layers)
  }

  /// How a worker for a library confines itself.
  ///
  /// - Parameter needs: the files that the library needs, including itself if it is loaded from its
  ///   file.
  static func confinement(loading needs: [String], _ sandbox: Sandbox) -> Confinement {
    var confinement = sandbox.confinement
    confinement.readable +=
      searchPath + [sandbox.installation.swiftRuntime].compactMap(\.self) + needs
    return confinement
  }

  private static var searchPath: [String] {
    wholeSearchPath.filter { !$0.isEmpty }
  }

  /// With empty folders, which are the current one.
  private static var wholeSearchPath: [String] {
    guard let text = Environment.path("LD_LIBRARY_PATH"), !text.isEmpty else { return [] }
    return Files.folders(inList: text)
  }

  /// The libraries that the one at `path` needs. The path is absolute and has no links.
  static func needs(of path: String, _ sandbox: Sandbox) -> LibraryNeeds {
    let isSameProgram = sandbox.worker == sameProgram
    return LibraryNeeds(
      of: path, searchPath: searchPath, swiftRuntime: sandbox.installation.swiftRuntime,
      isReadable: { isReadable($0, isSameProgram: isSameProgram) })
  }

  /// Just the libraries that the one at `path` needs, other than those of the system and of Swift,
  /// or what isn't certain of them. The path is absolute and has no links.
  static func needs(of path: String, _ installation: Installation) -> LibraryNeeds {
    LibraryNeeds(
      of: path, searchPath: wholeSearchPath, swiftRuntime: installation.swiftRuntime, isExact: true,
      isReadable: { isOfSystemOrSwift($0, installation) })
  }

  /// Whether a folder has only libraries that no lock names.
  static func isOfSystemOrSwift(_ folder: String, _ installation: Installation) -> Bool {
    isOfSystem(folder) || folder == installation.swiftRuntime ?? RuntimeLibraries.folder
  }

  private static func isOfSystem(_ folder: String) -> Bool {
    ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"].contains {
      folder == $0 || folder.hasPrefix($0 + "/")
    }
  }

  /// Whether a worker may read a folder by default: those of the system, and those of the libraries
  /// that vmhost itself has loaded. `host_landlock` has the same rules.
  private static func isReadable(_ folder: String, isSameProgram: Bool) -> Bool {
    if isOfSystem(folder) { return true }
    guard isSameProgram else { return false }
    return unsafe host_has_library_from(folder) != 0
  }
}

/// Finds the program that runs confined plugins.
enum WorkerLocator {
  private static let variable = "VMHOST"

  /// The path of the program that the variable `VMHOST` names, else of `vmhost-worker` or `vmhost`
  /// beside the app's executable, else of the first `vmhost` in the folders of `PATH`.
  static func path() throws(HostError) -> String {
    if let named = Environment.path(variable), !named.isEmpty {
      guard isFile(named) else {
        throw HostError(
          .notLoaded,
          "could not find the program \"\(named)\", which runs plugins: the variable \(variable)"
            + " names it.")
      }
      return named
    }
    let own: String
    do throws(SystemError) { own = try Files.executableFolder() } catch { throw HostError(error) }
    let listed = Files.folders(inList: Environment.path("PATH") ?? "").filter { !$0.isEmpty }
    let programs = ["\(own)/vmhost-worker"] + ([own] + listed).map { "\($0)/vmhost" }
    if let program = programs.first(where: isFile) { return program }
    throw HostError(
      .notLoaded,
      "could not find the program that runs plugins: neither \"vmhost-worker\" nor \"vmhost\" is"
        + " in \(own), beside this executable, and \"vmhost\" isn't in a folder of PATH. Put one"
        + " there, name it with the variable \(variable), or in the code, as in"
        + " .confined(worker: \"/opt/vmhost\").")
  }

  private static func isFile(_ path: String) -> Bool { (try? Files.kind(of: path)) == .regular }
}

/// Finds the program that runs confined plugins.
enum WorkerLocator {
  private static let variable = "VMHOST"

  /// The path of `vmhost`: what the variable `VMHOST` names, else the one beside the app's
  /// executable, else the first in the folders of `PATH`.
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
    for folder in [own] + listed where isFile("\(folder)/vmhost") { return "\(folder)/vmhost" }
    throw HostError(
      .notLoaded,
      "could not find the program \"vmhost\", which runs plugins: it is neither in \(own),"
        + " beside this executable, nor in a folder of PATH. Put it there, name it with the"
        + " variable \(variable), or in the"
        + " code, as in .confined(worker: \"/opt/vmhost\").")
  }

  private static func isFile(_ path: String) -> Bool { (try? Files.kind(of: path)) == .regular }
}

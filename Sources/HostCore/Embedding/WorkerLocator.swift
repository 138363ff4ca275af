/// Finds the program that runs confined plugins.
enum WorkerLocator {
  /// The path of `vmhost`: beside the app's executable, else in the folders of `PATH`.
  static func path() throws(HostError) -> String {
    let own: String
    do throws(SystemError) { own = try Files.executableFolder() } catch { throw HostError(error) }
    let listed = (Environment.value("PATH") ?? "").split(separator: ":").map(String.init)
    for folder in [own] + listed where isFile("\(folder)/vmhost") { return "\(folder)/vmhost" }
    throw HostError(
      .notLoaded,
      "there is no program \"vmhost\" to run plugins in: neither in \(own), beside this executable,"
        + " nor in a folder of PATH. Put it there, or name it, as in"
        + " .confined(worker: \"/opt/vmhost\").")
  }

  private static func isFile(_ path: String) -> Bool { (try? Files.kind(of: path)) == .regular }
}

/// How the host itself is confined, as of when a worker starts. A worker inherits its filters, and
/// gets other namespaces.
package struct HostConfinement: Sendable {
  /// How many filters the host runs under; nil if the system doesn't say.
  let filters: Int?
  private let namespaces: [String: String]

  /// The kinds of namespaces that a worker has of its own.
  static let namespaceNames = ["user", "net", "ipc"]
  /// The line of `/proc/PID/status` with the number of filters, which Linux has since 5.9.
  static let filtersName = "Seccomp_filters:"

  package init() throws(ConfinementError) {
    let folder = "/proc/self"
    filters = Int(try ProcFile(folder + "/status").first(Self.filtersName))
    var namespaces: [String: String] = [:]
    for name in Self.namespaceNames {
      namespaces[name] = try ProcFile.target(ofLink: folder + "/ns/" + name)
    }
    self.namespaces = namespaces
  }

  func namespace(_ name: String) -> String { namespaces[name] ?? "" }
}

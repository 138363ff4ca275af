import HostCore

/// What `vmhost --version --json` prints: all versions, and what confines plugins here.
enum VersionReport {
  /// One line.
  ///
  /// - Throws: `SystemError` if the layers of confinement can't be tried.
  static func line() throws(SystemError) -> String {
    let layers = try ConfinementDoctor.examine().findings
      .map { "\"\($0.layer.rawValue)\":\($0.isOn)" }.joined(separator: ",")
    return """
      {"vmhost":"\(HostVersion.number)","abi":"\(FormatVersions.abi)",\
      "transcript":\(FormatVersions.transcript),"lines":\(FormatVersions.lines),\
      "testEvents":\(TestEvents.schemaVersion),"workerProtocol":\(FormatVersions.workerProtocol),\
      "sandbox":{\(layers)}}

      """
  }
}

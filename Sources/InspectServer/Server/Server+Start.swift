import HostCore

extension Server {
  /// Reads the page, confines this process, says where it serves, and serves until the end.
  package static func serve(_ limits: ServerLimits) throws(ServerError) {
    do throws(SystemError) {
      Signals.failWrites()
      try Descriptor.openMissingStandardDescriptors()
    } catch { throw .system(error) }
    var confinement = ServerConfinement()
    let input = try PageInput()
    do throws(SystemError) {
      let listener = try LoopbackListener.open()
      let port = listener.port
      let secret = try RandomText.hexadecimal(byteCount: 24)
      let server = Server(input, listener, secret: secret, limits)
      try Descriptor.setNonBlocking(Descriptor.standardOutput)
      let missing = confinement.apply(connections: ServerLimits.maxConnections)
      try complain(ofMissing: missing)
      let line = "{\"kind\":\"serving\",\"port\":\(port),\"secret\":\"\(secret)\"}\n"
      try Descriptor.write(Descriptor.standardOutput, Array(line.utf8).span)
      try server.run()
    } catch { throw .system(error) }
  }

  private static func complain(ofMissing layers: [ConfinementLayer]) throws(SystemError) {
    guard !layers.isEmpty else { return }
    let names = layers.map(\.rawValue).joined(separator: ", ")
    let text =
      "vmhost-inspect: the server is confined without the layers \(names), which this machine "
      + "doesn't offer; see \"vmhost doctor\".\n"
    try Descriptor.write(Descriptor.standardError, Array(text.utf8).span)
  }
}

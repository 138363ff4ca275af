import HostShims

/// How a server confines its own process: it keeps the sockets that it has, and needs nothing else.
package struct ServerConfinement {
  /// The layers that a server can have. The others are of a process that a host starts.
  private static let wanted: Set<ConfinementLayer> = [
    .descriptors, .privileges, .limits, .landlock, .seccompRun,
  ]

  private var results = ConfinementReport().results

  /// Closes the files that the process got from whoever started it, except the standard streams.
  /// This comes before it opens anything.
  package init() {
    let failure = host_close_from(Descriptor.standardError + 1)
    results[ConfinementLayer.descriptors.index].state =
      UInt32(failure == 0 ? HOST_LAYER_ON : HOST_LAYER_REFUSED)
    results[ConfinementLayer.descriptors.index].error = failure
  }

  /// Takes from this process, which must have one thread, all but its open sockets. There is no way
  /// back.
  ///
  /// - Parameter connections: how many connections it has at a time.
  /// - Returns: the layers that this machine doesn't offer.
  package mutating func apply(connections: Int) -> [ConfinementLayer] {
    unsafe host_confine_server(UInt32(clamping: connections), &results)
    return ConfinementReport(results).missing(of: Self.wanted)
  }
}

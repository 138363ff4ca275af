import Basics
import HostCore

/// How long the server waits, and how much it keeps.
package struct ServerLimits: Sendable {
  private static let second: Nanoseconds = 1_000_000_000

  package static let maxConnections = 128
  /// The lines of pages that are being received, or that the session hasn't read.
  package static let maxPendingBytes = 32 << 20
  package static let maxPageBytes = 16 << 20

  /// For a request to arrive, and for its answer to be taken.
  package var request = 10 * second
  /// Between two requests of a connection.
  package var idle = 60 * second
  /// For a page that doesn't read its events.
  package var stall = 60 * second
  /// For a client to read the answer to a mistake before its connection is gone.
  package var linger = 2 * second
  /// For a page to come back, after its stream of events has ended.
  package var reload = 10 * second
  /// For the first page to ask for events.
  package var start = 600 * second
  /// For what is left at the end to be taken.
  package var farewell = 5 * second
  /// The bytes of the session's lines that are kept.
  package var keptBytes = 64 << 20

  private static let times: [String: any WritableKeyPath<ServerLimits, Nanoseconds> & Sendable] = [
    "request": \.request, "idle": \.idle, "stall": \.stall, "linger": \.linger,
    "reload": \.reload, "start": \.start, "farewell": \.farewell,
  ]

  package init() {}

  /// Reads what tests give, so that they needn't wait: `reload=200ms`, `kept=1000`.
  ///
  /// - Throws: `ServerError` if an argument is anything else.
  package init(arguments: [String]) throws(ServerError) {
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw .argument(argument) }
      if let time = Self.times[parts[0]], let span = TimeSpan.parse(parts[1]) {
        self[keyPath: time] = span
      } else if parts[0] == "kept", let count = Int(parts[1]), count >= 0 {
        keptBytes = count
      } else {
        throw .argument(argument)
      }
    }
  }
}

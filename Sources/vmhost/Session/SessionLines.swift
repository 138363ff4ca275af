import CanonicalJSON
import HostCore

/// Collects a live session for a page, whatever else is printed of it.
final class SessionLines {
  /// How many bytes a page may have. A browser shows no more in reasonable time.
  private static let maxBytes = 100_000_000

  private let secrets: Secrets
  private var format = JSONLinesFormat()
  private(set) var bytes: [UInt8] = []
  private var isFull = false

  init(_ secrets: Secrets) { self.secrets = secrets }

  /// Adds lines, without secrets.
  func append(_ body: (inout JSONLinesFormat, inout [UInt8]) -> Void) {
    guard !isFull else { return }
    let start = bytes.count
    body(&format, &bytes)
    if !secrets.isEmpty { secrets.redact(&bytes, from: start) }
    guard bytes.count > Self.maxBytes else { return }
    isFull = true
    bytes.removeSubrange(start...)
    bytes += Array(
      """
      {"kind":"log","t":0,"plugin":"vmhost","level":"warning","message":"The page has only the \
      first \(Self.maxBytes / 1_000_000) MB of the session."}

      """.utf8)
  }

  /// Adds all new events of the session, and its answers in their places.
  func appendNew(of session: SessionEngine) {
    var place = SessionPlace()
    while !isFull, !place.isEnd(of: session) {
      append { $0.appendPart(of: session, from: &place, showsSteps: true, to: &$1) }
      // The session's instances may be others now.
      if place.isBehindChange { format = JSONLinesFormat() }
    }
  }
}

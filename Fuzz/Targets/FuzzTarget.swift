/// A part of vmhost that takes bytes from others, and what must hold whatever they are.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case http
  case json
  case library
  case lines
  case manifest
  case session
  case transcript
  case workerProtocol = "worker-protocol"
  case workerLink = "worker-link"

  /// Throws if something doesn't hold that must; a crash is a finding too.
  package func check(_ input: [UInt8]) throws(FuzzFinding) {
    switch self {
    case .http: try HTTPTarget.check(input)
    case .json: try JSONTarget.check(input)
    case .library: try LibraryTarget.check(input)
    case .lines: try LinesTarget.check(input)
    case .manifest: try ManifestTarget.check(input)
    case .session: try SessionTarget.check(input)
    case .transcript: try TranscriptTarget.check(input)
    case .workerProtocol: try WorkerProtocolTarget.check(input)
    case .workerLink: try WorkerLinkTarget.check(input)
    }
  }
}

/// What doesn't hold.
package struct FuzzFinding: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

func require(_ holds: Bool, _ claim: @autoclosure () -> String) throws(FuzzFinding) {
  if !holds { throw FuzzFinding("does not hold: \(claim())") }
}

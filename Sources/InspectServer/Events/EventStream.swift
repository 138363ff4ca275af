import Basics

/// What one page is sent: each line of the session as a server-sent event.
package struct EventStream {
  /// The last event of a stream.
  package enum Farewell: Sendable {
    /// The session is over. It comes after all lines.
    case end
    /// Another page shows the session now. It comes at once.
    case taken

    fileprivate var event: String {
      switch self {
      case .end: "event: end\ndata: {\"kind\":\"end\",\"message\":\"The session has ended.\"}\n\n"
      case .taken:
        "event: taken\ndata: {\"kind\":\"taken\",\"message\":"
          + "\"The session is shown in another page now.\"}\n\n"
      }
    }
  }

  private static let partBytes = 64 << 10

  /// The number of the line to send next.
  private var next: Int
  /// The line that is being sent, from this offset on.
  private var line: [UInt8]?
  private var offset = 0
  private var farewell: Farewell?
  /// Whether its last event is decided.
  package var isEnding: Bool { farewell != nil }
  /// Whether all has been taken that there will be.
  package private(set) var isFinished = false

  package init(after number: Int) { next = number + 1 }

  package mutating func finish(_ farewell: Farewell) {
    if self.farewell == nil { self.farewell = farewell }
  }

  /// Takes the next bytes to send, or none if there are none now.
  package mutating func take(from log: EventLog) -> [UInt8] {
    var part: [UInt8] = []
    while part.count < Self.partBytes, !isFinished {
      if let line {
        continueLine(line, &part)
      } else if farewell == .taken {
        say(farewell, &part)
      } else if next < log.first {
        part += "event: gone\ndata: {\"kind\":\"gone\",\"next\":\(log.first)}\n\n".utf8
        next = log.first
      } else if next < log.next {
        part += "id: \(next)\ndata: ".utf8
        line = log[next]
        next += 1
      } else if farewell != nil {
        say(farewell, &part)
      } else {
        break
      }
    }
    return part
  }

  private mutating func continueLine(_ line: [UInt8], _ part: inout [UInt8]) {
    let count = min(line.count - offset, Self.partBytes)
    part.append(line.span.extracting(offset..<offset + count))
    offset += count
    guard offset == line.count else { return }
    part += "\n\n".utf8
    (self.line, offset) = (nil, 0)
  }

  private mutating func say(_ farewell: Farewell?, _ part: inout [UInt8]) {
    if let farewell { part += farewell.event.utf8 }
    isFinished = true
  }
}

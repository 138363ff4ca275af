import HostCore

/// Serves one page on 127.0.0.1, sends it the lines of standard input, and writes the lines that it
/// sends to standard output.
package final class Server {
  private static let readBytes = 256 << 10
  /// How many connections are accepted at a time, so that the others get their turn.
  private static let maxAccepted = 16

  private let page: [UInt8]
  private let policy: RequestPolicy
  private let limits: ServerLimits
  private let listener: LoopbackListener
  private var connections: [Connection] = []
  private var log: EventLog
  private var input: LineSplitter
  private var output = OutgoingBytes()
  private var now = SystemClock.monotonic()
  /// When the server ends if no page asks for events; `.max` while one does.
  private var lonelyUntil: Nanoseconds
  /// When the server ends at the latest, once standard input or output has ended.
  private var endsBy: Nanoseconds?

  init(
    _ input: PageInput, _ listener: consuming LoopbackListener, secret: String,
    _ limits: ServerLimits
  ) {
    page = input.page
    policy = RequestPolicy(port: listener.port, secret: secret)
    self.listener = listener
    self.limits = limits
    log = EventLog(maxBytes: limits.keptBytes)
    self.input = LineSplitter(maxBytes: limits.keptBytes)
    lonelyUntil = now + limits.start
    addLines(input.rest)
  }

  // MARK: - The loop

  /// Serves until the session or the page is gone.
  func run() throws(SystemError) {
    while !isOver {
      var interests = [
        Descriptor.Interest(
          Descriptor.standardOutput, reading: false, writing: !output.isEmpty),
        Descriptor.Interest(listener.descriptor.number),
      ]
      interests += connections.map(\.interest)
      if !isEnding { interests.append(Descriptor.Interest(Descriptor.standardInput)) }
      try Descriptor.wait(for: &interests, timeout: nextDeadline - SystemClock.monotonic())
      now = SystemClock.monotonic()
      if interests[0].isReady { writeOutput() }
      for (connection, interest) in zip(connections, interests[2...]) where interest.isReady {
        serve(connection)
      }
      if !isEnding, interests[interests.count - 1].isReady { readInput() }
      if interests[1].isReady { try accept() }
      settle()
    }
  }

  private var isEnding: Bool { endsBy != nil }

  private var isOver: Bool {
    guard let endsBy else { return lonelyUntil <= now }
    let isDone = output.isEmpty && !connections.contains { $0.phase == .events }
    return isDone || endsBy <= now
  }

  private var nextDeadline: Nanoseconds {
    connections.reduce(min(lonelyUntil, endsBy ?? .max)) { min($0, $1.deadline) }
  }

  /// Sends new lines, and ends what has waited too long.
  private func settle() {
    for connection in connections {
      if connection.phase == .events { connection.send(log, now: now) }
      connection.expire(now: now)
      if connection.phase == .lastAnswer { connection.send(log, now: now) }
    }
    connections.removeAll { $0.phase == .closed }
    if connections.contains(where: { $0.phase == .events }) {
      lonelyUntil = .max
    } else if lonelyUntil == .max {
      lonelyUntil = now + limits.reload
    }
  }

  // MARK: - The session

  private func readInput() {
    var bytes: [UInt8] = []
    let count: Int?
    do throws(SystemError) {
      count = try Descriptor.read(
        Descriptor.standardInput, limit: Self.readBytes, into: &bytes)
    } catch { count = 0 }
    addLines(bytes)
    if count == 0 {
      input.finish { log.append($0) }
      endSession()
    }
  }

  private func addLines(_ bytes: [UInt8]) { input.take(bytes) { log.append($0) } }

  /// Tells the page that nothing more comes.
  private func endSession() {
    guard !isEnding else { return }
    endsBy = now + limits.farewell
    for connection in connections where connection.phase == .events {
      connection.endEvents(.end, now: now)
    }
  }

  /// How many bytes of lines may be sent now.
  private var freeBytes: Int {
    connections.reduce(ServerLimits.maxPendingBytes - output.count) { $0 - $1.admittedBytes }
  }

  /// Passes lines on to the session.
  private func pass(_ lines: [UInt8]) {
    output.append(lines)
    writeOutput()
  }

  private func writeOutput() {
    // If it is ready although nothing waits to be written, nobody reads it any more.
    guard !output.isEmpty else { return endSession() }
    do throws(SystemError) {
      _ = try output.flush { bytes throws(SystemError) in
        try Descriptor.writeSome(Descriptor.standardOutput, bytes)
      }
    } catch {
      output = OutgoingBytes()
      endSession()
    }
  }

  // MARK: - Connections

  private func accept() throws(SystemError) {
    for _ in 0..<Self.maxAccepted {
      do throws(SystemError) {
        guard let socket = try listener.accept() else { return }
        if connections.count >= ServerLimits.maxConnections { giveUpWeakest() }
        let connection = Connection(socket, limits, now: now)
        connections.append(connection)
        serve(connection)
      } catch {
        // There are no more descriptors than the connections have.
        guard !connections.isEmpty else { throw error }
        giveUpWeakest()
      }
    }
  }

  /// Closes the connection that is needed least, and of several the oldest one.
  private func giveUpWeakest() {
    guard
      let weakest = connections.indices.min(by: {
        connections[$0].rank < connections[$1].rank
      })
    else { return }
    connections.remove(at: weakest).close()
  }

  private func serve(_ connection: Connection) {
    connection.send(log, now: now)
    connection.read(now: now)
    while let part = nextPart(of: connection) {
      take(part, connection)
      connection.send(log, now: now)
    }
  }

  private func nextPart(of connection: Connection) -> RequestParser.Part? {
    do throws(RequestMistake) { return try connection.nextPart() } catch {
      connection.refuse(error)
      connection.send(log, now: now)
      return nil
    }
  }

  private func take(_ part: RequestParser.Part, _ connection: Connection) {
    do throws(RequestMistake) {
      switch part {
      case .head(let head): try begin(head, connection)
      case .body(let body): try finish(body, connection)
      }
    } catch { connection.refuse(error) }
  }

  /// Takes the head of a request, before any of its body is read.
  private func begin(_ head: RequestHead, _ connection: Connection) throws(RequestMistake) {
    let service = try policy.service(for: head)
    connection.closes = head.closesConnection
    connection.service = service
    switch service {
    case .page: break
    case .events(let number):
      connection.isTrusted = true
      guard number < log.next else {
        throw RequestMistake(.badRequest, "Last-Event-ID is not the number of an event.")
      }
    case .lines:
      connection.isTrusted = true
      guard !isEnding else { throw RequestMistake(.unavailable, "The session has ended.") }
      let count = head.bodyCount ?? 0
      guard count <= freeBytes else {
        throw RequestMistake(
          .unavailable, "The session hasn't read the lines before these; send them again later.")
      }
      connection.admittedBytes = count
    }
  }

  private func finish(_ body: [UInt8], _ connection: Connection) throws(RequestMistake) {
    connection.admittedBytes = 0
    switch connection.service {
    case .page:
      connection.answer(Answer.page(count: page.count, closes: connection.closes), page)
    case .events(let number):
      for other in connections where other.phase == .events { other.endEvents(.taken, now: now) }
      connection.beginEvents(after: number)
      if isEnding { connection.endEvents(.end, now: now) }
    case .lines:
      pass(try SentLines.checked(body))
      connection.answer(Answer.taken(closes: connection.closes))
    case nil: break
    }
    connection.service = nil
  }
}

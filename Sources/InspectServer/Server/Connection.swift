import HostCore

/// A client's connection.
final class Connection {
  enum Phase {
    /// It reads requests and sends their answers, one after another.
    case requests
    case events
    /// It sends the last answer.
    case lastAnswer
    /// All is sent. It drops what still arrives, because closing the socket over unread bytes would
    /// take the answer away from the client.
    case lingering
    case closed
  }

  private static let readBytes = 64 << 10

  let socket: FileDescriptor
  /// Whether it has shown the secret.
  var isTrusted = false
  /// What the body is for that comes next; nil if it is dropped.
  var service: RequestPolicy.Service?
  /// Whether the connection ends after the answer to the current request.
  var closes = false
  /// The bytes of the body that it may send.
  var admittedBytes = 0
  var stream: EventStream?
  private(set) var phase = Phase.requests
  /// When the connection has waited too long.
  private(set) var deadline: Nanoseconds
  private let limits: ServerLimits
  private var parser = RequestParser()
  private var outgoing = OutgoingBytes()
  private var hasRequest = false
  private var hasClientEnded = false

  init(_ socket: consuming FileDescriptor, _ limits: ServerLimits, now: Nanoseconds) {
    self.socket = socket
    self.limits = limits
    deadline = now + limits.request
  }

  var interest: Descriptor.Interest {
    let isSending = !outgoing.isEmpty
    return switch phase {
    case .requests: .init(socket.number, reading: !isSending, writing: isSending)
    case .events: .init(socket.number, reading: true, writing: isSending)
    case .lastAnswer: .init(socket.number, reading: false, writing: true)
    case .lingering, .closed: .init(socket.number)
    }
  }

  /// Which connection is given up first if there are too many. The one with the smallest rank is.
  var rank: Int {
    switch phase {
    case .closed, .lingering: 0
    case .requests where !isTrusted: 1
    case .lastAnswer: 2
    case .requests: hasRequest ? 4 : 3
    case .events: 5
    }
  }

  /// Whether it waits for the next request.
  private var isIdle: Bool { outgoing.isEmpty && !parser.isInside }

  // MARK: - What the server does with it

  func answer(_ pieces: [UInt8]...) {
    for piece in pieces { outgoing.append(piece) }
    if closes { phase = .lastAnswer }
  }

  func refuse(_ mistake: RequestMistake) {
    outgoing.append(Answer.mistake(mistake))
    phase = .lastAnswer
  }

  func beginEvents(after number: Int) {
    stream = EventStream(after: number)
    outgoing.append(Answer.events)
    phase = .events
  }

  func endEvents(_ farewell: EventStream.Farewell, now: Nanoseconds) {
    stream?.finish(farewell)
    deadline = min(deadline, now + limits.request)
  }

  func close() { phase = .closed }

  // MARK: - What arrives

  /// The next part of a request; nil if there is none now, or the last answer isn't taken yet.
  func nextPart() throws(RequestMistake) -> RequestParser.Part? {
    guard phase == .requests, outgoing.isEmpty else { return nil }
    if let part = try parser.next() { return part }
    guard hasClientEnded else { return nil }
    guard parser.isInside else {
      close()
      return nil
    }
    throw RequestMistake(.badRequest, "The request isn't complete.")
  }

  /// Reads what has arrived.
  func read(now: Nanoseconds) {
    guard interest.reading else { return }
    var bytes: [UInt8] = []
    let count: Int?
    do throws(SystemError) {
      count = try Descriptor.read(socket.number, limit: Self.readBytes, into: &bytes)
    } catch { return close() }
    guard let count else { return }
    switch phase {
    case .requests:
      if count == 0 {
        hasClientEnded = true
      } else {
        beginRequest(now)
        parser.receive(bytes)
      }
    // Whoever has asked for events has nothing more to say.
    case .events: close()
    case .lingering: if count == 0 { close() }
    case .lastAnswer, .closed: break
    }
  }

  private func beginRequest(_ now: Nanoseconds) {
    guard !hasRequest else { return }
    hasRequest = true
    deadline = now + limits.request
  }

  // MARK: - What is sent

  /// Sends what the socket takes now.
  func send(_ log: EventLog, now: Nanoseconds) {
    do throws(SystemError) {
      switch phase {
      case .requests, .lastAnswer:
        guard !outgoing.isEmpty, try flush(), outgoing.isEmpty else { return }
        if phase == .lastAnswer { finish(now) } else { waitForRequest(now) }
      case .events: try sendEvents(log, now)
      case .lingering, .closed: break
      }
    } catch { close() }
  }

  private func sendEvents(_ log: EventLog, _ now: Nanoseconds) throws(SystemError) {
    var hasSent = false
    repeat {
      if outgoing.isEmpty { outgoing.append(stream?.take(from: log) ?? []) }
      if outgoing.isEmpty { break }
      hasSent = try flush() || hasSent
    } while outgoing.isEmpty
    if stream?.isFinished == true {
      if outgoing.isEmpty { finish(now) }
    } else if outgoing.isEmpty {
      deadline = .max
    } else if stream?.isEnding == false, hasSent || deadline == .max {
      // What is left at the end must be taken by the deadline that was set then.
      deadline = now + limits.stall
    }
  }

  private func flush() throws(SystemError) -> Bool {
    try outgoing.flush { bytes throws(SystemError) in
      try Descriptor.sendSome(socket.number, bytes)
    }
  }

  private func waitForRequest(_ now: Nanoseconds) {
    hasRequest = !isIdle
    deadline = now + (isIdle ? limits.idle : limits.request)
  }

  private func finish(_ now: Nanoseconds) {
    guard !hasClientEnded else { return close() }
    Descriptor.finishSending(socket.number)
    phase = .lingering
    deadline = now + limits.linger
  }

  /// Ends what has waited too long.
  func expire(now: Nanoseconds) {
    guard deadline <= now else { return }
    guard phase == .requests, outgoing.isEmpty, parser.isInside else { return close() }
    refuse(RequestMistake(.timeout, "The request took too long to arrive."))
    deadline = now + limits.request
  }
}

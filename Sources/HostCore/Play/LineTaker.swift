import Basics

/// Carries out parsed lines, and tells whoever sent them what became of them. Inputs wait in a
/// batch, so that they are delivered together.
package struct LineTaker {
  /// How mistakes in lines are treated.
  package struct Strictness: Sendable {
    /// Whether whoever sends the lines acts on what comes out. A line that was overtaken by that is
    /// no mistake then.
    package var isLive: Bool
    /// Whether the session goes on after any mistake. Otherwise it does only if the line has a
    /// number, or if one before it had.
    package var keepsGoing: Bool

    package init(isLive: Bool, keepsGoing: Bool) {
      self.isLive = isLive
      self.keepsGoing = keepsGoing
    }
  }

  /// How many inputs are delivered together, unless they are large.
  private static let maxBatch = 4096

  private let interpreter: ScriptInterpreter
  private let strictness: Strictness
  /// Descriptors whose readiness wakes a wait.
  private let interests: () -> [Descriptor.Interest]
  /// Shows what the session has printed.
  private let flush: () throws -> Void
  /// Whether somebody wants the session to end. Asking may be a system call, so it isn't done for
  /// each line.
  private let isAskedToEnd: () -> Bool
  /// Whether somebody wanted the session to end when this was last asked.
  package private(set) var isInterrupted = false
  /// Whether a line has had a number. Then the sender waits for answers.
  private var hasNumbers = false
  private var batch = InputBatch()
  /// The latest input of each route in the batch.
  private var latest = [Latest](repeating: Latest(), count: RecentInputs.limit)
  /// How many inputs were delivered whose output may not be shown yet.
  private var hidden = 0

  /// An input in the batch.
  private struct Latest {
    var route = -1
    var index = 0
  }

  package init(
    _ interpreter: ScriptInterpreter, _ strictness: Strictness,
    interests: @escaping () -> [Descriptor.Interest] = { [] },
    flush: @escaping () throws -> Void = {}, isAskedToEnd: @escaping () -> Bool = { false }
  ) {
    self.interpreter = interpreter
    self.strictness = strictness
    self.interests = interests
    self.flush = flush
    self.isAskedToEnd = isAskedToEnd
  }

  private var driver: SessionDriver { interpreter.driver }
  private var session: SessionEngine { interpreter.session }

  /// Carries out a line.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that the line's ranges refer to.
  ///   - number: where the line stands, from 1.
  ///   - seq: the number that the sender gave it.
  /// - Throws: `LineFailure` if a line ends the session, or another error that isn't about a line.
  package mutating func take(
    _ line: ScriptLine, _ bytes: Span<UInt8>, number: Int, seq: UInt64?
  ) throws {
    try take(line, bytes, written: bytes, number: number, seq: seq)
  }

  /// - Parameter written: the line as it was written, for messages.
  private mutating func take(
    _ line: ScriptLine, _ bytes: Span<UInt8>, written: Span<UInt8>, number: Int, seq: UInt64?
  ) throws {
    if seq != nil { hasNumbers = true }
    switch line {
    case .nothing, .expectation: break
    case .rewritten(let other):
      let line = try ScriptLine.parse(other.span)
      try take(line, other.span, written: written, number: number, seq: seq)
    case .input(let input):
      // With a flow, this may be for an instance that the input before it opens.
      if session.navigates(batch) { try deliverStep() }
      do {
        while try !interpreter.queue(input, bytes, tag: UInt64(number), seq: seq, in: &batch) {
          try deliver { driver, batch throws(SessionError) in try driver.start(&batch) }
        }
        note(input.route)
      } catch let error as ScriptError {
        try refuse(written, error, number: number, seq: seq)
      }
      if isFull { try startBatch() }
    case .command(let command):
      try finishBatch()
      do {
        try interpreter.perform(
          command, seq: seq, watching: interests(), isInterrupted: pause)
      } catch {
        try refuse(written, error, number: number, seq: seq)
      }
      // A signal that ended a wait ends the session before its next line.
      isInterrupted = isAskedToEnd()
    }
  }

  /// Takes the next lines as long as they are inputs like those that wait in the batch. Nothing is
  /// looked up for them.
  package mutating func takeRepeats(from reader: inout LineReader) throws {
    // With a flow, one input may open or close the instance of the next.
    guard !batch.isEmpty, !session.navigates(batch) else { return }
    while !isFull, let found = reader.peekRepeat(), append(found, reader) {
      reader.take(found)
    }
    if isFull { try startBatch() }
  }

  private var isFull: Bool { batch.count >= Self.maxBatch || batch.isLarge }

  /// - Returns: whether the batch has an input like this one, so that this one was added.
  private mutating func append(_ found: LineReader.Repeat, _ reader: borrowing LineReader) -> Bool {
    let input = latest[found.route % RecentInputs.limit]
    guard input.route == found.route, found.valueIsCanonical else { return false }
    reader.withValue(of: found) { value in
      batch.append(like: input.index, value: value, tag: UInt64(reader.nextNumber))
    }
    if let seq = found.seq {
      hasNumbers = true
      batch.wantAnswer(seq)
    }
    return true
  }

  /// Notes the route of the input that was added last.
  private mutating func note(_ route: Int) {
    guard route >= 0 else { return }
    latest[route % RecentInputs.limit] = Latest(route: route, index: batch.count - 1)
  }

  /// Shows the output so far before time passes.
  private func pause() -> Bool {
    // A failed write shows again at the next flush that can report it.
    try? flush()
    return isAskedToEnd()
  }

  // MARK: Batches

  /// Delivers inputs, and goes on behind each one that is refused.
  ///
  /// - Parameter body: delivers the waiting inputs. It is called again after a refusal.
  private mutating func deliver(
    _ body: (SessionDriver, inout InputBatch) throws(SessionError) -> Void
  ) throws {
    for slot in latest.indices { latest[slot].route = -1 }
    var rest = InputBatch()
    while true {
      do throws(SessionError) {
        if !rest.isEmpty { try driver.deliver(&rest) }
        return try body(driver, &batch)
      } catch {
        rest = session.takeUndelivered()
        try refuse(error)
      }
    }
  }

  /// Delivers the waiting input as a batch of its own. The output is still shown once for as many
  /// inputs as are delivered together elsewhere.
  private mutating func deliverStep() throws {
    hidden += 1
    guard hidden < Self.maxBatch else { return try finishBatch() }
    try deliver { driver, batch throws(SessionError) in try driver.deliver(&batch) }
  }

  /// Delivers the waiting inputs, and shows what they led to.
  package mutating func finishBatch() throws {
    hidden = 0
    isInterrupted = isAskedToEnd()
    try deliver { driver, batch throws(SessionError) in
      try driver.deliver(&batch)
      try driver.catchUp()
    }
    interpreter.limitBranches()
    try flush()
  }

  /// Begins to deliver the waiting inputs, and shows what the earlier ones led to. A plugin in a
  /// process of its own handles them while the next lines are read.
  private mutating func startBatch() throws {
    isInterrupted = isAskedToEnd()
    try deliver { driver, batch throws(SessionError) in
      try driver.start(&batch)
      if !driver.session.isUnderWay { try driver.catchUp() }
    }
    try flush()
  }

  /// Begins to deliver the waiting inputs, unless the plugin is busy. Then more inputs can join
  /// them.
  package mutating func startIfIdle() throws {
    if !session.isUnderWay { try startBatch() }
  }

  // MARK: Refusals

  /// Refuses a line that can't be read.
  ///
  /// - Throws: as `take`.
  package mutating func refuse(
    _ line: Span<UInt8>, _ error: ScriptError, number: Int
  ) throws {
    var seq: UInt64?
    switch ScriptLine.seq(ofBroken: line) {
    case .missing: break
    case .unreadable: hasNumbers = true
    case .number(let number):
      hasNumbers = true
      seq = number
    }
    try refuse(line, error, number: number, seq: seq, isBroken: true)
  }

  /// Refuses a line that can't be carried out. The inputs before it are delivered first, and their
  /// errors come first.
  private mutating func refuse(
    _ line: Span<UInt8>, _ error: any Error, number: Int, seq: UInt64?, isBroken: Bool = false
  ) throws {
    try finishBatch()
    let place =
      (error as? ScriptError)?.place(number: number, line: line).place
      ?? SessionAnswer.SourceLine(number: number, column: nil)
    guard !tell(SessionFailure(error), place, seq: seq, isBroken: isBroken) else { return }
    throw LineFailure(error: error, number: number, line: Array(copying: line))
  }

  /// Refuses an input that was to be delivered with others.
  private func refuse(_ error: SessionError) throws {
    guard let number = error.tag ?? error.stepTag, number > 0 else { throw error }
    let place = SessionAnswer.SourceLine(number: Int(number), column: nil)
    guard !tell(SessionFailure(error), place, seq: error.seq) else { return }
    throw LineFailure(error: error, number: Int(number), line: [])
  }

  /// Tells the sender of a line that it changed nothing.
  ///
  /// - Parameter isBroken: whether the line can't be read, so that it may have a number that can't
  ///   be seen.
  /// - Returns: false if nobody waits for an answer, or if the session can't go on.
  private func tell(
    _ failure: SessionFailure, _ place: SessionAnswer.SourceLine, seq: UInt64?,
    isBroken: Bool = false
  ) -> Bool {
    guard let code = failure.refusal else { return false }
    let message = failure.description
    if seq == nil && failure.isRace && strictness.isLive {
      session.answer(.passedOver(message: message, line: place), seq: nil)
    } else if seq != nil || strictness.keepsGoing || (isBroken && hasNumbers) {
      let line = seq == nil || code == .syntax ? place : nil
      session.answer(.refused(code, message: message, line: line), seq: seq)
    } else {
      return false
    }
    driver.takeEvents()
    return true
  }
}

/// An error that ends the session, and the line that it is about.
package struct LineFailure: Error {
  package let error: any Error
  /// Where the line stands, from 1.
  package let number: Int
  /// The line as it was written, if the error is about a part of it; otherwise empty.
  package let line: [UInt8]
}

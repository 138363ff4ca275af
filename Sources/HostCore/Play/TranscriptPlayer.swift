import Basics
import CanonicalJSON

/// Plays a transcript and compares what each step emits with the lines that follow it.
///
/// Time is virtual, and nothing outside is asked. The file may have any size.
final class TranscriptPlayer {
  /// How many inputs are delivered together.
  private static let maxBatch = 1024
  /// How many bytes of inputs are delivered together.
  private static let maxBatchBytes = 1 << 20

  let reader: TranscriptReader
  private let interpreter: ScriptInterpreter
  let observer: any TranscriptObserver
  /// Whether steps are compared with their lines. A script has no such lines.
  private let compares: Bool
  /// What steps emitted since they were last compared.
  private let found: EventSink
  private let isInterrupted: () -> Bool
  /// Gets each line before it is carried out, and throws if the line isn't allowed there.
  var willTake: ((ScriptLine) throws(ScriptError) -> Void)?
  var session: SessionEngine { interpreter.session }

  /// The step whose lines are being read. It is made when the next one begins.
  private var current: TranscriptStep?
  private var batch = InputBatch()
  private var batchedBytes = 0
  /// The inputs in the batch, in order.
  private var batched: [TranscriptStep] = []
  var expected = ExpectedEvents()
  /// The lines of requests, for those that are never answered.
  private var requestLines = RequestLines()
  private var recorded: RecordedRequests
  /// The lines that no plugin could make right, once that matters.
  var impossible: ImpossibleLines?
  /// Finds the requests that replies are for, if the transcript is to be rewritten.
  var matching: RequestMatching?
  /// The replies whose requests aren't made yet, with what should come of them.
  var waiting: [(step: TranscriptStep, expected: ExpectedEvents)] = []
  /// The last line of the last step that stays where it is in the file.
  var anchor = 0
  /// Whether something has differed from the file.
  var hasDifference = false
  /// How many steps there were.
  private(set) var steps = 0

  /// Collects the events of a driver.
  final class EventSink {
    var events = EventBatch()
    /// Whether a line in which time passes led to more bytes than one step may. They are compared
    /// together, and further ones are dropped.
    private(set) var isOverfull = false

    func take(_ session: SessionEngine) {
      if events.isEmpty {
        swap(&events, &session.events)
      } else if events.bytes.count + session.events.bytes.count <= session.options.limits.bytes {
        events.append(session.events)
      } else {
        isOverfull = true
      }
    }
  }

  /// - Parameters:
  ///   - interpreter: of a session with a virtual clock and no providers, whose driver reports to
  ///     `found`.
  ///   - breaksOff: whether the file is an unfinished recording.
  ///   - isInterrupted: called between steps; true ends the replay.
  init(
    _ reader: TranscriptReader, _ interpreter: ScriptInterpreter, found: EventSink, compares: Bool,
    breaksOff: Bool, observer: any TranscriptObserver, isInterrupted: @escaping () -> Bool
  ) {
    self.reader = reader
    self.interpreter = interpreter
    self.found = found
    self.compares = compares
    self.breaksOff = breaksOff
    self.observer = observer
    self.isInterrupted = isInterrupted
    recorded = RecordedRequests(reader.source)
  }

  /// Plays it to its end, or until the observer has seen enough.
  func play() throws(TranscriptError) {
    do {
      while let line = try reader.next() {
        try willTake?(line)
        try reader.withLine { bytes in try take(line, bytes) }
        guard !isOver, !isInterrupted() else { return }
      }
      breaksOff = breaksOff || reader.isCut
      lastStep = current?.numbers
      try finishBlock()
      try flush()
      reportOrphans()
    } catch let error as ScriptError {
      throw TranscriptError(invalid: reader.report(error), line: reader.number)
    } catch let error as TranscriptError {
      throw error
    } catch { throw located(error, at: nil) }
    guard !isOver, !isInterrupted() else { return }
    if !breaksOff { checkLeftOver() }
  }

  /// Whether the observer has seen enough.
  var isOver = false
  /// Whether the file breaks off, so that its last step may be incomplete.
  var breaksOff: Bool
  /// The last step's lines, once everything is read.
  var lastStep: ClosedRange<Int>?

  // MARK: Lines

  private func take(_ line: ScriptLine, _ bytes: Span<UInt8>) throws {
    switch line {
    case .nothing: break
    case .rewritten(let other):
      let before = steps
      try take(try ScriptLine.parse(other.span), other.span)
      guard steps > before else { return }
      current?.written = Array(copying: bytes)
    case .expectation(let expectation):
      guard current != nil else { throw TranscriptFile.noStep }
      try expected.append(expectation, bytes, at: reader.number...reader.lastNumber)
    case .input(let input): try begin(.input(input), bytes)
    case .command(let command): try take(command, bytes)
    }
  }

  private func take(_ command: ScriptCommand, _ bytes: Span<UInt8>) throws {
    switch command.role {
    // A file with a control line was refused before.
    case .remark, .control: break
    case .step: try begin(.command(command), bytes)
    case .setting, .betweenSteps: try performAlone(command)
    case .beforeStep:
      guard let step = current, step.expected.lowerBound == expected.lines.count else {
        return try performAlone(command)
      }
      current?.before.append(
        TranscriptStep.Directive(
          command: command, text: Array(copying: bytes),
          numbers: reader.number...reader.lastNumber))
    }
  }

  /// Carries out a line between two steps, after all steps before it.
  private func performAlone(_ command: ScriptCommand) throws {
    try finishBlock()
    try flush()
    expected.removeAll()
    if !isOver { try perform(command) }
  }

  private func begin(_ action: TranscriptStep.Action, _ bytes: Span<UInt8>) throws {
    try finishBlock()
    guard !isOver else { return }
    steps += 1
    let next = expected.lines.count
    current = TranscriptStep(
      action: action, text: Array(copying: bytes), numbers: reader.number...reader.lastNumber,
      expected: next..<next)
  }

  // MARK: Steps

  /// Makes the step whose lines have all been read, or adds it to the waiting inputs.
  private func finishBlock() throws {
    guard var step = current else { return }
    current = nil
    step.expected = step.expected.lowerBound..<expected.lines.count
    do {
      switch step.action {
      case .input(let input):
        if !step.before.isEmpty {
          try flush(before: &step)
          guard !isOver else { return }
          for directive in step.before { try perform(directive) }
        }
        try queue(input, &step)
      case .command(let command): try make(command, &step)
      }
      if matching != nil { try makeWaiting() }
    } catch let error as TranscriptError {
      throw error
    } catch {
      try flush(before: &step)
      if !isOver { try skip(step, after: error) }
    }
  }

  private func perform(_ directive: TranscriptStep.Directive) throws(TranscriptError) {
    do {
      try perform(directive.command)
    } catch {
      throw TranscriptError(
        error, in: reader.path, at: directive.numbers.lowerBound, directive.text, subject: nil)
    }
  }

  private func perform(_ command: ScriptCommand) throws {
    try interpreter.perform(command, watching: []) { isInterrupted() || found.isOverfull }
    guard found.isOverfull else { return }
    let limit = session.options.limits.bytes
    throw SessionError(
      .contract,
      "the plugins emitted more than \(limit) bytes while the time of one line passed."
        + " \(StepLimits.advice(.bytes)).")
  }

  func make(_ command: ScriptCommand, _ step: inout TranscriptStep) throws {
    try flush(before: &step)
    guard !isOver else { return }
    guard let command = routed(command, &step) else {
      matching?.expect(step, expected, session)
      waiting.append((step, expected))
      return expected.removeAll()
    }
    for directive in step.before { try perform(directive) }
    step.start = session.now
    defer {
      expected.removeAll()
      found.events.removeAll()
    }
    do {
      try perform(command)
    } catch { return try abort(step, 0..<found.events.count, error) }
    // A step that was interrupted has not emitted everything yet.
    if !isInterrupted() { try check(step, 0..<found.events.count) }
  }

  private func queue(_ input: ScriptLine.InputLine, _ step: inout TranscriptStep) throws {
    // With a flow, an input may be for an instance that the input before it opens.
    if session.navigates(batch) || batched.count >= Self.maxBatch
      || batchedBytes >= Self.maxBatchBytes
    {
      try flush(before: &step)
    }
    guard !isOver else { return }
    while try !queue(input, step) {
      try flush(before: &step)
      guard !isOver else { return }
    }
    step.start = session.now
    step.instance = batch.lastInstance
    batchedBytes += step.text.count
    batched.append(step)
  }

  /// Adds an input to the batch, with its position there from 1 on as its tag.
  private func queue(_ input: ScriptLine.InputLine, _ step: TranscriptStep) throws -> Bool {
    let tag = UInt64(batched.count + 1)
    return try interpreter.queue(input, step.text.span, tag: tag, in: &batch)
  }

  /// Delivers the waiting inputs, and compares what they emitted with their lines.
  private func flush(before step: inout TranscriptStep) throws {
    try flush()
    expected.removeFirst(step.expected.lowerBound)
    step.expected = 0..<expected.lines.count
  }

  func flush() throws {
    guard !batched.isEmpty else { return }
    defer {
      batched.removeAll(keepingCapacity: true)
      batchedBytes = 0
      found.events.removeAll()
    }
    defer { session.dropUnderWay() }
    var (first, firstEvent) = (0, 0)
    // The position in the batch of the input with the session's number 0.
    var base = 0
    while first < batched.count, !isOver {
      guard let error = deliver() else {
        let end = session.isUnderWay ? base + session.nextUnderWay : batched.count
        try check(batched[first..<end], &firstEvent, base)
        (first, firstEvent) = (end, 0)
        found.events.removeAll()
        continue
      }
      let failed = (error.tag ?? error.stepTag).map { Int($0) - 1 } ?? batched.count - 1
      try check(batched[first..<failed], &firstEvent, base)
      guard !isOver else { return }
      try abort(batched[failed], firstEvent..<found.events.count, error)
      (first, firstEvent) = (failed + 1, found.events.count)
      batch = session.takeUndelivered()
      if let next = batch.nextTag { base = Int(next) - 1 - batch.next }
    }
  }

  /// Delivers the waiting inputs, or as many of them as lead to a good number of events.
  ///
  /// - Returns: the error of the first one that failed; nil if none did.
  private func deliver() -> SessionError? {
    do throws(SessionError) {
      if !session.isUnderWay { try interpreter.driver.start(&batch) }
      if session.isUnderWay { try interpreter.driver.continueDelivery() }
      return nil
    } catch { return error }
  }

  /// Compares inputs with their lines.
  ///
  /// - Parameters:
  ///   - position: where the first one's events begin; afterwards, where those of the last one end.
  ///   - base: the position in the batch of the input that the events call step 0.
  private func check(
    _ steps: ArraySlice<TranscriptStep>, _ position: inout Int, _ base: Int
  ) throws {
    let records = found.events.records
    for (index, step) in zip(steps.indices, steps) where !isOver {
      let start = position
      while position < records.count, Int(records[position].step) == index - base {
        position += 1
      }
      try check(step, start..<position)
    }
  }

  // MARK: Comparing

  /// - Parameter isWhole: false if the step was aborted, so that some of its output may be missing.
  func check(
    _ step: TranscriptStep, _ range: Range<Int>, isWhole: Bool = true
  ) throws {
    let comparison = StepComparison(
      session: session, step: step, expected: expected, events: found.events, range: range)
    if found.events.hasRequests { requestLines.take(comparison) }
    matching?.take(comparison)
    if step.rerouting?.anchor == nil { anchor = step.lastLine(expected) }
    var difference: StepDifference?
    let isIncomplete = breaksOff && step.numbers == lastStep
    if compares && isWhole
      && !(isIncomplete ? comparison.beginsAsExpected : comparison.isEqual)
    {
      difference = comparison.difference
      if let unknown = comparison.unknownName() {
        guard !isImpossible(unknown.line) else { throw TranscriptError(unknown, in: reader) }
        if unknown.part == .name { difference?.cause = unknown.message }
      }
      hasDifference = true
      if difference?.beginsWithRequest == true {
        difference?.recorded = recorded.around(line: step.numbers.lowerBound)
      }
    }
    if observer.didPlay(step, comparison, difference) { isOver = true }
  }

  private func checkLeftOver() {
    guard compares else { return }
    for (handle, id, effect) in session.openRequests {
      let line = requestLines.line(of: handle, id)
      let name = session.instances.count > 1 ? "\(handle).\(id)" : "\(id)"
      let message =
        "left over: request \(id) of \(handle), \"\(effect)\", is still open at the end. Answer it"
        + " with \"! \(name) …\"."
      observer.didLeave(
        LeftRequest(handle: handle, id: id, name: name, line: line, message: message))
    }
  }

  // MARK: Failures

  /// Adds the location to an error.
  ///
  /// - Parameter step: the step that failed; nil if the error is about the current line.
  func located(_ error: any Error, at step: TranscriptStep?) -> TranscriptError {
    if let step {
      return TranscriptError(
        error, in: reader.path, at: step.numbers.lowerBound, step.written ?? step.text,
        subject: step.subject)
    }
    return reader.withLine { line in
      TranscriptError(
        error, in: reader.path, at: reader.number, Array(copying: line), subject: nil)
    }
  }
}

import CanonicalJSON
import HostCore

/// What somebody sends to a live session.
///
/// The first byte says how strict the session is.
enum LinesTarget {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let flags = input.first ?? 0
    let strictness = LineTaker.Strictness(isLive: flags & 1 == 0, keepsGoing: flags & 2 != 0)
    let session = try LinesSession(strictness)
    let lines = SentLine.all(of: Array(input.dropFirst()))
    let failed = session.send(lines)
    var answers = session.answers.answers[...]
    var hasNumbers = false
    for line in lines {
      if line.seq != .missing { hasNumbers = true }
      if let failed, failed.number == line.number {
        try require(failed.error != nil, "only a mistake ends a session")
        try require(
          line.seq == .missing && !strictness.keepsGoing && !(line.isBroken && hasNumbers),
          "whoever waits for an answer is told")
        return try require(answers.isEmpty, "nothing is answered after the end")
      }
      try check(line, &answers, mayBeRefused: strictness.keepsGoing, hasNumbers)
    }
    try require(failed == nil, "a session ends at one of its lines")
    try require(answers.isEmpty, "each line has one answer")
  }

  /// Takes the answer to a line, which comes next.
  private static func check(
    _ line: SentLine, _ answers: inout ArraySlice<SentAnswer>, mayBeRefused: Bool,
    _ hasNumbers: Bool
  ) throws(FuzzFinding) {
    switch line.seq {
    case .number(let seq):
      let answer = answers.popFirst()
      try require(answer?.seq == seq, "a line with a number is answered in its turn")
      try require(answer?.isDone == false || !line.isBroken, "what can't be read isn't done")
    case .missing, .unreadable:
      let isRefused = answers.first?.seq == nil && answers.first?.line == line.number
      try require(
        isRefused || !(line.isBroken && (hasNumbers || mayBeRefused)),
        "what can't be read is refused by its line")
      try require(!isRefused || line.isBroken || mayBeRefused, "nobody waits for this answer")
      if isRefused { answers.removeFirst() }
    }
  }
}

/// A line, as a reader gives it.
private struct SentLine {
  let number: Int
  let bytes: [UInt8]
  let result: Result<ScriptLine, ScriptError>
  let seq: ScriptLine.BrokenSeq

  var isBroken: Bool { if case .failure = result { true } else { false } }

  static func all(of bytes: [UInt8]) -> [SentLine] {
    var reader = LineReader()
    reader.fill { $0 += bytes }
    var lines: [SentLine] = []
    while let line = next(&reader) { lines.append(line) }
    return lines
  }

  private static func next(_ reader: inout LineReader) -> SentLine? {
    do throws(ScriptError) {
      guard let line = try reader.next(atEnd: true) else { return nil }
      return SentLine(
        number: reader.number, bytes: Array(reader.storage[reader.line]), result: .success(line),
        seq: reader.seq.map(ScriptLine.BrokenSeq.number) ?? .missing)
    } catch {
      let bytes = Array(reader.storage[reader.line])
      return SentLine(
        number: reader.number, bytes: bytes, result: .failure(error),
        seq: ScriptLine.seq(ofBroken: bytes.span))
    }
  }
}

/// What a session tells about one line.
private struct SentAnswer {
  let seq: UInt64?
  /// The line that is refused, if its sender can't tell by `seq`.
  let line: Int?
  let isDone: Bool
}

private final class AnswerList {
  var answers: [SentAnswer] = []

  func take(_ session: SessionEngine) {
    for answer in session.answers {
      switch answer.kind {
      case .done: answers.append(SentAnswer(seq: answer.seq, line: nil, isDone: true))
      case .refused(_, _, let line):
        answers.append(SentAnswer(seq: answer.seq, line: line?.number, isDone: false))
      case .step, .passedOver, .frame, .viewModel, .transcript, .time, .held, .changed: break
      }
    }
  }
}

private struct LinesSession {
  let answers = AnswerList()
  private let interpreter: ScriptInterpreter
  private let strictness: LineTaker.Strictness

  init(_ strictness: LineTaker.Strictness) throws(FuzzFinding) {
    self.strictness = strictness
    let session = SessionEngine(options: .init(), storage: MemoryStorage())
    let driver = SessionDriver(
      session: session, clock: .virtual, providers: [], report: answers.take, complain: { _ in })
    do {
      try session.add(SoundPlugin(), named: "sound.so")
      try session.open("sound")
    } catch { throw FuzzFinding("a session takes its first plugin: \(error)") }
    interpreter = ScriptInterpreter(
      driver: driver, storage: MemoryStorage(), locate: { $0 },
      load: { path, name in throw PluginLoadError(name, .worker("there is none.")) })
  }

  /// - Returns: the line that ended the session, and why; nil if none did. The error is nil if no
  ///   line may lead to it.
  func send(_ lines: [SentLine]) -> (number: Int, error: LineFailure?)? {
    var taker = LineTaker(interpreter, strictness)
    var number = 0
    do {
      for line in lines {
        number = line.number
        switch line.result {
        // It reads any file of the machine.
        case .success(.command(.flow)): continue
        case .success(let understood):
          let seq: UInt64? = if case .number(let seq) = line.seq { seq } else { nil }
          try taker.take(understood, line.bytes.span, number: number, seq: seq)
        case .failure(let error): try taker.refuse(line.bytes.span, error, number: number)
        }
      }
      try taker.finishBatch()
      return nil
    } catch let failure as LineFailure {
      return (failure.number, failure)
    } catch { return (number, nil) }
  }
}

import HostCore

/// The process of a worker, played by an input: what comes over the socket, lies in the window and
/// is printed is what the input says, at the moment when the host waits for it.
///
/// Nothing runs beside the host. The worker gets its turn when the host looks at its clock, and
/// time passes, far, when the worker has nothing more to say.
final class LyingWorker: WorkerProcess {
  /// More of a frame than this isn't kept: what is large is an event, of which the length will do.
  private static let maxKept = 1 << 12
  private static let headerSize = 64
  private static let recordArea = 48 << 13
  private static let areaSize = recordArea + (1 << 24)
  private static let longTime: Nanoseconds = 100_000_000_000

  var input: InputReader
  let report = ConfinementReport()
  private let socket: FileDescriptor
  private let output: FileDescriptor
  private var otherSocket: FileDescriptor?
  private var printing: FileDescriptor?
  /// The window, mapped once more.
  private let memory: SharedMemory
  private var time: Nanoseconds = 0
  private var heard: [UInt8] = []
  /// What goes to the host next time.
  private var rest: [UInt8] = []
  /// Whether it has ended an exchange as none can end.
  private(set) var hasSaidImpossible = false
  /// Whether the host has something to read that it had not before.
  private var hasSpoken = false
  private var ending: ProcessEnd?
  private var isKilled = false

  /// - Parameter window: the memory that the host has.
  init(_ input: InputReader, window: borrowing SharedMemory) throws(SystemError) {
    let (frames, lines) = (try Connection(), try Connection())
    self.input = input
    socket = FileDescriptor(adopting: frames.host)
    otherSocket = FileDescriptor(adopting: frames.worker)
    output = FileDescriptor(adopting: lines.host)
    printing = FileDescriptor(adopting: lines.worker)
    memory = try window.mappedAgain()
    send(frame(.ready, LittleEndian.bytes(UInt64(WorkerMessage.version), 4) + confinement()))
  }

  // MARK: What the host sees

  var socketNumber: Int32 { socket.number }
  var printNumbers: [Int32] { [output.number] }

  /// Whether nothing of it is left.
  var isOver: Bool { isKilled || ending != nil }

  func kill() {
    isKilled = true
    hangUp()
  }

  func end(within limit: Nanoseconds) -> ProcessEnd? { isKilled ? .killed(signal: 9) : ending }

  func requestBacktrace() {}

  func verify(
    _ confinement: Confinement, _ report: ConfinementReport,
    _ stage: ConfinementVerification.Stage
  ) throws(ConfinementError) {
    // What `/proc` says is no word of a worker's.
  }

  func codeFiles() throws(SystemError) -> Set<PathKey> { [] }

  /// The time, and the worker's turn.
  func clock() -> Nanoseconds {
    hasSpoken = false
    takeTurn()
    time += hasSpoken ? 1 : Self.longTime
    return time
  }

  // MARK: Turns

  private func takeTurn() {
    guard let number = otherSocket?.number else { return }
    if !rest.isEmpty {
      let next = rest
      rest = []
      return send(next)
    }
    // Where that fails there is nothing to hear either.
    while let count = try? Descriptor.read(number, limit: 1 << 16, into: &heard), count > 0 {}
    guard heard.count >= WorkerMessage.headerSize,
      let kind = WorkerMessage.Kind(rawValue: heard[4])
    else { return }
    let end = WorkerMessage.headerSize + Int(LittleEndian.number(heard[..<4]))
    // Of a large frame the host is told nothing before it has sent all of it.
    guard heard.count >= end else { return }
    let payload = heard[WorkerMessage.headerSize..<min(end, Self.maxKept)]
    let start = payload.startIndex
    switch kind {
    case .load: answerLoad()
    case .create:
      let instance = LittleEndian.number(payload[(start + 28)..<(start + 32)])
      answer(payload, steps: 0..<1, instance: Int32(truncatingIfNeeded: instance), isNew: true)
    case .deliver:
      let first = Int(LittleEndian.number(payload[(start + 28)..<(start + 32)]))
      let count = Int(LittleEndian.number(payload[(start + 32)..<(start + 36)]))
      let record = WireRecord(read(WireRecord.size, at: Self.headerSize)[...])
      answer(payload, steps: first..<first + count, instance: record.instance)
    case .deliverOne:
      let first = Int(LittleEndian.number(payload[(start + 28)..<(start + 32)]))
      let record = WireRecord(payload[(start + 32)...])
      answer(payload, steps: first..<first + 1, instance: record.instance)
    case .play: answerTranscript(Array(payload.prefix(4)))
    case .destroy, .leaks: answerLeaks(Array(payload.prefix(4)))
    case .confine, .ready, .loaded, .refused, .done, .played, .leaked: break
    }
    heard.removeFirst(end)
  }

  private func answerTranscript(_ exchange: [UInt8]) {
    var verdicts: [UInt8] = []
    for _ in 0..<3 { verdicts += [input.byte() % 4, input.byte()] + LittleEndian.bytes(0, 11) }
    write(verdicts, at: Self.headerSize + Self.areaSize)
    write(LittleEndian.bytes(input.lie(about: 3), 8), at: 8)
    switch input.byte() {
    case 0..<128: send(frame(.played, exchange))
    case 128..<192: send(frame(.played, exchange + input.bytes()))
    case 192..<224: send(frame(.done, exchange + input.bytes()))
    case 224..<240: say(input.bytes())
    default: end()
    }
  }

  private func answerLeaks(_ exchange: [UInt8]) {
    switch input.byte() {
    case 0..<96: send(frame(.leaked, exchange))
    case 96..<192: send(frame(.leaked, exchange + Array("{\"lying\":\(input.byte())}".utf8)))
    case 192..<208: send(frame(.leaked, exchange + input.bytes()))
    case 208..<216: send(frame(.leaked, input.bytes()))
    case 216..<224: send(frame(.done, exchange + input.bytes()))
    case 224..<240: say(input.bytes())
    default: end()
    }
  }

  private func answerLoad() {
    switch input.byte() {
    case 0..<200: send(frame(.loaded, confinement() + Array(LyingPlugin.manifestText.utf8)))
    case 200..<216: send(frame(.loaded, input.bytes() + input.bytes()))
    case 216..<232: send(frame(.refused, input.bytes()))
    case 232..<244: say(input.bytes())
    default: end()
    }
  }

  /// A report, by default one that nothing was tried.
  private func confinement() -> [UInt8] {
    guard input.byte() > 200 else { return ConfinementReport().encoded }
    var report = ConfinementReport().encoded
    for index in stride(from: 0, to: report.count, by: 8) {
      let byte = input.byte()
      report[index] = byte & 7
      report[index + 1] = byte >> 3
    }
    return report
  }

  // MARK: Answers

  private func answer(
    _ payload: ArraySlice<UInt8>, steps: Range<Int>, instance: Int32, isNew: Bool = false
  ) {
    let lies = input.byte()
    var emissions = WireEmissions()
    if isNew && lies < 224 { emissions.appendStates(of: instance) }
    emissions.append(from: &input, steps: steps, instance: instance)
    let next = emissions.news.map { $0 + 1 } ?? steps.upperBound
    // What the window has no room for goes with the end, and some of the rest where the input
    // says so.
    let split = lies & 1 == 0 ? emissions.records.count : input.number(below: 8)
    var (inWindow, inFrame) = emissions.split(at: split)
    if lies & 2 != 0 { patch(&inWindow) }
    var counts = UInt64(inWindow.records.count / 48) << 32 | UInt64(inWindow.content.count)
    var finished = UInt64(max(next - steps.lowerBound, 0))
    if lies & 4 != 0 { counts = input.lie(about: counts) }
    if lies & 8 != 0 { finished = input.lie(about: finished) }
    write(inWindow.records, at: Self.headerSize + Self.areaSize)
    write(inWindow.content, at: Self.headerSize + Self.areaSize + Self.recordArea)
    write(LittleEndian.bytes(counts, 8) + LittleEndian.bytes(finished, 8), at: 0)
    if lies & 16 != 0 { print(input.bytes()) }
    if lies & 32 != 0 {
      if input.byte() < 128 { return end() }
      patch(&inFrame)
    }
    var numbers = [
      LittleEndian.number(payload.prefix(4)), UInt64(next),
      UInt64(inFrame.records.count / WireRecord.size),
    ]
    let number = numbers[0]
    if lies & 64 != 0 {
      let index = input.number(below: 3)
      numbers[index] = input.lie(about: numbers[index]) & UInt64(UInt32.max)
    }
    let isImpossible = numbers[0] != number || !Self.canEnd(steps, before: Int(numbers[1]))
    let done = frame(
      .done, numbers.flatMap { LittleEndian.bytes($0, 4) } + inFrame.records + inFrame.content)
    guard lies & 128 == 0 else { return say(done) }
    send(done)
    hasSaidImpossible = hasSaidImpossible || isImpossible
  }

  private static func canEnd(_ steps: Range<Int>, before next: Int) -> Bool {
    steps.isEmpty ? next == steps.lowerBound : next > steps.lowerBound && next <= steps.upperBound
  }

  /// Sends bytes with a change, in two parts, or with more behind them.
  private func say(_ bytes: [UInt8]) {
    var bytes = bytes
    switch input.number(below: 4) {
    case 0: bytes += input.bytes()
    case 1: if !bytes.isEmpty { bytes[input.number(below: min(bytes.count, 256))] = input.byte() }
    case 2: bytes = input.bytes()
    default: break
    }
    let cut = min(input.number(below: 256), bytes.count)
    rest = Array(bytes[cut...])
    send(Array(bytes[..<cut]))
  }

  private func patch(_ part: inout WireEmissions.Part) {
    for _ in 0..<1 + input.number(below: 2) where !part.records.isEmpty {
      part.records[input.number(below: min(part.records.count, 256))] = input.byte()
    }
    if input.byte() > 200 { part.content.append(0) }
  }

  private func frame(_ kind: WorkerMessage.Kind, _ payload: [UInt8]) -> [UInt8] {
    LittleEndian.bytes(UInt64(payload.count), 4) + [kind.rawValue] + payload
  }

  private func send(_ bytes: [UInt8]) {
    guard let number = otherSocket?.number, !bytes.isEmpty else { return }
    hasSpoken = true
    // A host that has hung up hears nothing, and one whose socket is full not all of it.
    _ = try? Descriptor.sendSome(number, bytes.span)
  }

  private func print(_ bytes: [UInt8]) {
    guard let number = printing?.number, !bytes.isEmpty else { return }
    hasSpoken = true
    // As above.
    _ = try? Descriptor.writeSome(number, bytes.span)
  }

  /// Ends the process, or only its connection.
  private func end() {
    switch input.number(below: 4) {
    case 0: ending = .killed(signal: 11)
    case 1: ending = .exited(Int32(input.byte()))
    case 2: ending = .unknown
    default: break
    }
    hangUp()
  }

  private func hangUp() {
    hasSpoken = true
    otherSocket = nil
    printing = nil
    rest = []
  }

  // MARK: The window

  private func write(_ bytes: [UInt8], at offset: Int) { memory.write(bytes, at: offset) }

  private func read(_ count: Int, at offset: Int) -> [UInt8] {
    memory.read(count, at: offset)
  }
}

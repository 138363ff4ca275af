import HostCore

/// What the host believes of the events of an exchange, checked against the rules of the document,
/// said a second time.
struct EmissionClaims {
  private let steps: Range<Int>
  private let limits: StepLimits
  private var check: EmissionValidator
  private var batch = EventBatch()
  /// What was taken so far, and the bytes of just these.
  private var taken: [WireRecord] = []
  private var content: [UInt8] = []

  /// - Parameter asTheyAre: the input has the bytes of the records, not what they say.
  static func check(_ input: [UInt8], asTheyAre: Bool) throws(FuzzFinding) {
    var input = InputReader(input)
    var claims = EmissionClaims(&input)
    for _ in 0..<1 + input.number(below: 3) {
      let part = asTheyAre ? rawPart(&input) : claims.part(&input)
      guard try claims.take(part.records, part.content) else { return }
    }
  }

  private init(_ input: inout InputReader) {
    let first = input.number(below: 4)
    steps = first..<first + input.number(below: 6)
    var limits = StepLimits()
    limits.events = input.choice(of: [3, 0, 1, 100])
    limits.bytes = input.choice(of: [40, 0, 7, 1 << 28])
    self.limits = limits
    check = EmissionValidator(steps: steps, limits: limits)
  }

  // MARK: Parts of an exchange

  private static func rawPart(
    _ input: inout InputReader
  ) -> (records: [UInt8], content: [UInt8]) {
    (input.bytes(), input.bytes())
  }

  private static let kinds: [UInt32] = [16, 16, 16, 19, 17, 18, 20, 64, 65, 66, 1, 2, 3, 0, 21, 99]
  /// Bytes that differ from place to place.
  private static let pattern = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 / 3) }
  private static let sizes: [UInt32] = [0, 1, 3, 8, 1 << 16, (1 << 16) + 1]

  /// Mostly what a worker could say: a lie more than one would hide the others.
  private func part(_ input: inout InputReader) -> (records: [UInt8], content: [UInt8]) {
    var step = Int32(taken.last?.step ?? Int32(steps.lowerBound))
    var end = 0
    var records: [UInt8] = []
    for index in 0..<input.number(below: 7) {
      var record = WireRecord()
      record.kind = input.choice(of: Self.kinds)
      // Back, and beyond the last one, once in a while.
      step += Int32(input.choice(of: [0, 0, 0, 1, 1, 2, 5, -1]))
      record.step = step
      record.id = UInt64(index)
      record.nameStart = Int64(end)
      record.nameCount = record.isEnd ? 0 : input.choice(of: Self.sizes)
      record.valueCount = input.choice(of: Self.sizes)
      end += record.count
      records += record.bytes
    }
    let patch = input.byte()
    if patch > 128, !records.isEmpty {
      records[Int(patch - 128) * 7 % records.count] = input.byte()
    }
    let size = max(end + input.choice(of: [0, 0, 0, 0, 1, -1]), 0)
    if input.byte() > 240 { records.removeLast(min(records.count, 1)) }
    return (records, Array(Self.pattern.prefix(size)))
  }

  // MARK: What must hold

  /// - Returns: whether the check took it.
  private mutating func take(_ records: [UInt8], _ content: [UInt8]) throws(FuzzFinding) -> Bool {
    let isTaken = check.take(records: records.span, content: content.span, into: &batch)
    let part = stride(from: 0, to: records.count - records.count % WireRecord.size, by: 48)
      .map { WireRecord(records[$0...]) }
    let isGood =
      records.count % WireRecord.size == 0 && Self.accounts(part, for: content.count)
      && follows(taken + part)
    try require(isTaken == isGood, isGood ? "what can be is taken" : "what can't be is refused")
    if isGood {
      let start = Int64(self.content.count)
      taken += part.map { record in
        var record = record
        record.nameStart += start
        return record
      }
      self.content += content
    }
    try checkBatch()
    guard isGood else { return false }
    for next in (steps.lowerBound - 1)...(steps.upperBound + 1) {
      try require(
        check.isDone(before: next) == canEnd(before: next), "an exchange ends where it can: \(next)"
      )
    }
    return true
  }

  /// Whether names and values lie one after the other and nothing else does.
  private static func accounts(_ records: [WireRecord], for count: Int) -> Bool {
    var end = 0
    for record in records {
      guard record.nameStart == end else { return false }
      end += record.count
    }
    return end == count
  }

  /// Whether a plugin can have emitted all this, in the steps that it was asked to make.
  private func follows(_ all: [WireRecord]) -> Bool {
    for (index, record) in all.enumerated() {
      let before = all[..<index]
      let beside = before.filter { $0.step == record.step }
      let own = (beside + [record]).filter { !$0.isEnd }
      guard [16, 17, 18, 19, 20, 64, 65].contains(record.kind), steps.contains(Int(record.step)),
        record.instance >= 0, record.nameCount <= 1 << 16,
        before.allSatisfy({ $0.step <= record.step }),
        !before.contains(where: { $0.isNews && $0.step < record.step }),
        !before.contains(where: \.isEnd), record.kind != 64 || beside.isEmpty,
        !record.isEnd || record.nameCount == 0 && record.valueCount <= 1 << 16,
        record.isEnd || own.count <= limits.events,
        record.isEnd || own.reduce(0, { $0 + $1.count }) <= limits.bytes
      else { return false }
    }
    return true
  }

  private func canEnd(before next: Int) -> Bool {
    guard !steps.isEmpty else { return next == steps.lowerBound }
    let last = taken.last.map { Int($0.step) }
    return next > steps.lowerBound && next <= steps.upperBound && next > last ?? -1
      && (!taken.contains(where: \.isNews) || next == (last ?? 0) + 1)
  }

  /// The batch has what was taken, byte for byte, and nothing else.
  private func checkBatch() throws(FuzzFinding) {
    try require(batch.count == taken.count, "a batch has the events that were taken")
    try require(batch.bytes == content, "a batch has the bytes that were taken")
    try require(
      batch.hasRequests == taken.contains { $0.kind == 17 || $0.kind == 18 }
        && batch.hasFaults == taken.contains { $0.kind == 20 }, "a batch knows its requests")
    for (record, sent) in zip(batch.records, taken) {
      try require(
        record.kind.rawValue == sent.kind && record.instance == sent.instance
          && record.port == sent.port && record.step == sent.step && record.id == sent.id
          && record.time == sent.time, "an event is what was sent")
      let start = Int(sent.nameStart)
      try require(
        record.name == start..<start + Int(sent.nameCount)
          && record.value == record.name.upperBound..<start + sent.count, "its bytes are its own")
    }
  }
}

import HostCore

/// What the host reads from a worker: frames, the report of its confinement, the end of an
/// exchange, events.
///
/// The first byte says what the others are.
enum WorkerProtocolTarget {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let first = input.first else { return }
    let rest = Array(input[1...])
    switch first {
    case 0..<64: try checkFrames(rest, limit: 1 << 29, sentBy: Int(first) + 1)
    case 64..<128: try checkFrames(rest, limit: Int(first - 64) * 8, sentBy: 7)
    case 128..<144: try checkEnd(rest)
    default: try EmissionClaims.check(rest, asTheyAre: first < 176)
    }
  }

  // MARK: Frames

  private static func checkFrames(
    _ bytes: [UInt8], limit: Int, sentBy size: Int
  ) throws(FuzzFinding) {
    var incoming: [UInt8] = []
    var arrived: [WorkerChannel.Arrival] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      incoming += bytes[start..<min(start + size, bytes.count)]
      while arrived.last != .garbage, let next = WorkerChannel.next(from: &incoming, limit: limit) {
        arrived.append(next)
      }
    }
    try require(
      arrived == expectedArrivals(bytes, limit: limit), "frames arrive as they went, however cut")
    for case .message(let message) in arrived {
      switch message.kind {
      // After the version; before the manifest.
      case .ready: try checkReport(Array(message.payload.dropFirst(4)))
      case .loaded: try checkReport(Array(message.payload.prefix(ConfinementReport.encodedSize)))
      case .done: try checkEnd(message.payload)
      case .played: try checkVerdict(Array(message.payload.dropFirst(4)))
      default: break
      }
    }
  }

  /// A verdict comes in the shared buffer, but as one that a worker may have forged.
  private static func checkVerdict(_ bytes: [UInt8]) throws(FuzzFinding) {
    let isOne = bytes.count == 13 && (1...3).contains(bytes[0]) && bytes[12] < 128
    let read = WorkerVerdict(bytes.span)
    try require(
      (read != nil) == isOne, "a verdict has thirteen bytes, one of three findings, and a time")
    try require(read.map { $0.encoded == bytes } ?? true, "a verdict has its steps and its time")
  }

  /// Frames, read by the words of the document.
  private static func expectedArrivals(
    _ bytes: [UInt8], limit: Int
  ) -> [WorkerChannel.Arrival] {
    var arrivals: [WorkerChannel.Arrival] = []
    var rest = bytes[...]
    while rest.count >= 5 {
      let length = Int(LittleEndian.number(rest.prefix(4)))
      guard length <= limit, let kind = WorkerMessage.Kind(rawValue: rest[rest.startIndex + 4])
      else { return arrivals + [.garbage] }
      guard rest.count >= 5 + length else { break }
      arrivals.append(.message(WorkerMessage(kind, Array(rest.dropFirst(5).prefix(length)))))
      rest = rest.dropFirst(5 + length)
    }
    return arrivals
  }

  // MARK: The end of an exchange

  private static func checkEnd(_ payload: [UInt8]) throws(FuzzFinding) {
    let count = payload.count < 12 ? 0 : Int(LittleEndian.number(payload[8..<12]))
    guard let end = ExchangeEnd(payload.span) else {
      return try require(
        payload.count < 12 || count * 48 > payload.count - 12, "what can be an end is one")
    }
    try require(payload.count >= 12, "an end has its numbers")
    try require(UInt64(end.number) == LittleEndian.number(payload[..<4]), "the exchange's number")
    try require(UInt64(end.next) == LittleEndian.number(payload[4..<8]), "the next step")
    try require(
      end.records.lowerBound == 12 && end.records.count == count * 48
        && end.content == end.records.upperBound..<payload.count,
      "records and bytes lie one after the other, to the end")
  }

  // MARK: Reports

  private static func checkReport(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard let report = ConfinementReport(encoded: bytes.span) else { return }
    try require(bytes.count == ConfinementReport.encodedSize, "a report has its size")
    var adopted = ConfinementReport()
    adopted.adopt(report)
    for layer in ConfinementLayer.allCases {
      try require(!report.text(for: layer).isEmpty, "each layer's state has words")
      try require(
        adopted[layer] == (layer.isAppliedByWorker ? report[layer] : .pending),
        "a worker is heard only on its own layers")
    }
    let encoded = report.encoded
    try require(
      ConfinementReport(encoded: encoded.span) == report, "a report comes back as it went")
  }
}

/// Numbers as they lie on the wire and in memory.
enum LittleEndian {
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }
}

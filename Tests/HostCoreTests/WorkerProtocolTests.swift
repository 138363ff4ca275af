import Testing

@testable import HostCore

/// What crosses between host and worker, and what the host does with bytes that are lies.
@Suite struct WorkerProtocolTests {
  private static func batch() -> EventBatch {
    var batch = EventBatch()
    for (kind, name, value) in [
      (EventKind.output, "said", "\"größe\""), (.request, "http", "{}"), (.log, "info", ""),
    ] {
      var record = EventBatch.Record(kind: kind, instance: 7, id: .max, time: -5)
      record.port = -1
      record.step = 3
      batch.append(record, name: Array(name.utf8).span, value: Array(value.utf8).span)
    }
    return batch
  }

  private static func bytes(of batch: EventBatch) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in batch.records { EventStream.append(record, of: batch, to: &bytes) }
    return bytes
  }

  private static func read(_ bytes: [UInt8]) -> (batch: EventBatch, used: Int?) {
    var batch = EventBatch()
    let used = EventStream.read(bytes.span, into: &batch, longestValue: 1000) { $0.isEmission }
    return (batch, used)
  }

  @Test func `events come back as they went`() {
    let bytes = Self.bytes(of: Self.batch())
    let (batch, used) = Self.read(bytes)
    #expect(used == bytes.count)
    #expect(batch.records.map(\.kind) == [.output, .request, .log])
    #expect(batch.records.map { batch.value(of: $0) } == ["\"größe\"", "{}", ""])
    #expect(batch.records.allSatisfy { $0.id == .max && $0.time == -5 && $0.step == 3 })
    #expect(Self.bytes(of: batch) == bytes)
  }

  @Test func `a stream cut anywhere gives the whole events before the cut`() {
    let bytes = Self.bytes(of: Self.batch())
    for end in 0..<bytes.count {
      let (batch, used) = Self.read(Array(bytes[..<end]))
      #expect(used == Self.bytes(of: batch).count)
      #expect(batch.count < 3)
    }
  }

  @Test func `kinds, steps and lengths that can't be are refused`() {
    let good = Self.bytes(of: Self.batch())
    let lies: [(offset: Int, bytes: [UInt8])] = [
      (0, [1, 0, 0, 0]), (0, [99, 0, 0, 0]), (12, [0, 0, 0, 0x80]), (32, [0, 0, 0, 0xff]),
      (36, [0xff, 0xff, 0xff, 0xff]),
    ]
    for lie in lies {
      var bytes = good
      bytes.replaceSubrange(lie.offset..<lie.offset + 4, with: lie.bytes)
      #expect(Self.read(bytes).used == nil)
    }
  }

  @Test func `random bytes never do harm`() {
    var random: any RandomNumberGenerator = SplitMix64(state: 42)
    let good = Self.bytes(of: Self.batch())
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let (batch, used) = Self.read(bytes)
      if let used { #expect(used <= bytes.count && Self.bytes(of: batch).count == used) }
      var header = Array(bytes.prefix(WorkerFrame.headerSize))
      if let frame = WorkerFrame.parse(header: header.span) {
        #expect(frame.length <= WorkerFrame.largestPayload)
      }
      header.removeLast()
      #expect(WorkerFrame.parse(header: header.span) == nil)
    }
  }

  private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }
}

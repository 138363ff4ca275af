import Basics
import TestSupport
import Testing

@testable import HostCore

/// What crosses between host and worker, and what the host does with bytes that are lies.
@Suite struct WorkerProtocolTests {
  /// Three steps, of which the last one asks for something.
  private static func batch() -> EventBatch {
    var batch = EventBatch()
    for (step, kind, name, value) in [
      (3, EventKind.output, "said", "\"größe\""), (3, .log, "info", ""), (4, .output, "said", "1"),
      (6, .request, "http", "{}"),
    ] {
      var record = EventBatch.Record(kind: kind, instance: 7, id: .max, time: -5)
      record.port = -1
      record.step = Int32(step)
      batch.append(record, name: Array(name.utf8).span, value: Array(value.utf8).span)
    }
    return batch
  }

  /// The records of a batch, as they lie in memory.
  private static func memory(of records: [EventBatch.Record]) -> [UInt8] {
    unsafe records.withUnsafeBytes { unsafe Array($0) }
  }

  private static var limits: StepLimits {
    var limits = StepLimits()
    limits.events = 3
    limits.bytes = 20
    return limits
  }

  private static func take(
    _ records: [UInt8], _ content: [UInt8], into batch: inout EventBatch
  ) -> Bool {
    var check = EmissionValidator(steps: 3..<8, limits: limits)
    return check.take(records: records.span, content: content.span, into: &batch)
  }

  private static func end(_ payload: [UInt8]) -> ExchangeEnd? { ExchangeEnd(payload.span) }

  @Test func `a record has the layout that both sides know`() {
    #expect(EventBatch.Record.size == 48)
    var record = EventBatch.Record(kind: .log, instance: 1, id: 4, time: 5)
    record.port = 2
    record.step = 3
    record.nameStart = 6
    record.nameCount = 7
    record.valueCount = 8
    var bytes: [UInt8] = []
    for number: UInt32 in [19, 1, 2, 3] { ByteWriter.append(number, to: &bytes) }
    for number: UInt64 in [4, 5, 6] { ByteWriter.append(number, to: &bytes) }
    for number: UInt32 in [7, 8] { ByteWriter.append(number, to: &bytes) }
    #expect(Self.memory(of: [record]) == bytes)
  }

  @Test func `events come back as they went, also behind others`() {
    let batch = Self.batch()
    var copy = EventBatch()
    for round in 1...2 {
      #expect(Self.take(Self.memory(of: batch.records), batch.bytes, into: &copy))
      #expect(copy.count == 4 * round)
    }
    #expect(copy.records.map(\.kind) == batch.records.map(\.kind) + batch.records.map(\.kind))
    #expect(
      copy.records.map { copy.value(of: $0) } == [
        "\"größe\"", "", "1", "{}", "\"größe\"", "", "1", "{}",
      ])
    #expect(copy.records.map { copy.name(of: $0) }.suffix(4) == ["said", "info", "said", "http"])
    #expect(copy.records.allSatisfy { $0.id == .max && $0.time == -5 && $0.instance == 7 })
    #expect(copy.hasRequests && !copy.hasFaults)
  }

  @Test func `events that no plugin can have emitted are refused as a whole`() {
    let lies: [(index: Int, lie: (inout EventBatch.Record) -> Void)] = [
      // Kinds that are none, or the host's to say.
      (0, { $0.code = 0 }), (0, { $0.code = 1 }), (0, { $0.code = 99 }), (0, { $0.code = 66 }),
      // Steps that were not asked for, or go back.
      (0, { $0.step = 2 }), (0, { $0.step = -1 }), (3, { $0.step = 8 }), (2, { $0.step = 2 }),
      // Names and values that are not where they must be.
      (0, { $0.nameStart = 1 }), (1, { $0.nameStart = -1 }), (2, { $0.nameStart = .max }),
      (0, { $0.nameCount = .max }), (0, { $0.valueCount = .max }), (3, { $0.valueCount += 1 }),
      (3, { $0.valueCount -= 1 }),
      // An instance that can't be.
      (0, { $0.instance = -1 }),
      // A refusal's words are its value.
      (3, { $0.code = 64 }),
      // An event after a step that asked.
      (0, { $0.code = 17 }), (2, { $0.code = 20 }),
    ]
    for (index, lie) in lies {
      var batch = Self.batch()
      lie(&batch.records[index])
      var copy = EventBatch()
      #expect(!Self.take(Self.memory(of: batch.records), batch.bytes, into: &copy))
      #expect(copy.isEmpty && copy.bytes.isEmpty)
    }
    let good = Self.batch()
    var copy = EventBatch()
    #expect(!Self.take(Array(Self.memory(of: good.records).dropLast()), good.bytes, into: &copy))
    #expect(!Self.take(Self.memory(of: good.records), good.bytes + [0], into: &copy))
    #expect(copy.isEmpty)
  }

  @Test func `a step may not emit more than a plugin may, in however many parts`() {
    for (count, size, isGood) in [(3, 6, true), (4, 1, false), (3, 7, false)] {
      var batch = EventBatch()
      let value = [UInt8](repeating: 0x31, count: size)
      var check = EmissionValidator(steps: 0..<2, limits: Self.limits)
      var results: [Bool] = []
      for step: Int32 in 0..<2 {
        for _ in 0..<count {
          var record = EventBatch.Record(kind: .output, instance: 0)
          record.step = step
          record.valueCount = UInt32(size)
          results.append(
            check.take(
              records: Self.memory(of: [record]).span, content: value.span, into: &batch))
        }
      }
      #expect(results.allSatisfy { $0 } == isGood)
      #expect(results.prefix(2) == [true, true])
    }
  }

  @Test func `a refusal comes alone, and nothing comes after a broken contract`() {
    let output: UInt32 = EventKind.output.rawValue
    for (codes, isGood) in [
      ([64], true), ([65], true), ([output, 65], true), ([output, 64], false),
      ([64, output], false), ([65, output], false), ([64, 64], false), ([65, 65], false),
      ([output, output, output, 65], true), ([output, output, output, output], false),
    ] {
      let records = codes.map { code in
        var record = EventBatch.Record(kind: .output, instance: 0)
        record.code = code
        record.step = 3
        return record
      }
      var copy = EventBatch()
      #expect(Self.take(Self.memory(of: records), [], into: &copy) == isGood)
    }
  }

  @Test func `an exchange ends after a step that was made, and right after one that asks`() {
    var batch = EventBatch()
    var check = EmissionValidator(steps: 3..<8, limits: Self.limits)
    #expect((0..<12).filter { check.isDone(before: $0) } == [4, 5, 6, 7, 8])
    let good = Self.batch()
    let records = Self.memory(of: good.records)
    let isGood = check.take(records: records.span, content: good.bytes.span, into: &batch)
    #expect(isGood)
    #expect((0..<12).filter { check.isDone(before: $0) } == [7])
    let none = EmissionValidator(steps: 0..<0, limits: Self.limits)
    #expect((0..<12).filter { none.isDone(before: $0) } == [0])
  }

  @Test func `the end of an exchange is read within its bytes`() throws {
    let record = [UInt8](repeating: 7, count: 48)
    let payload: [UInt8] = [1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0] + record + [9, 9]
    let end = try #require(Self.end(payload))
    #expect(end.number == 1 && end.next == 2)
    #expect(end.records == 12..<60 && end.content == 60..<62)
    for count in 0..<60 { #expect(Self.end(Array(payload[..<count])) == nil) }
    var lie = payload
    lie.replaceSubrange(8..<12, with: [0xff, 0xff, 0xff, 0xff])
    #expect(Self.end(lie) == nil)
  }

  @Test func `a frame waits for all its bytes, unless it can't be one`() {
    let frame = WorkerMessage(.done, [1, 2, 3])
    for count in 0..<frame.bytes.count {
      var bytes = Array(frame.bytes.prefix(count))
      #expect(WorkerChannel.next(from: &bytes, limit: 3) == nil)
      #expect(bytes.count == count)
    }
    var bytes = frame.bytes + [8]
    #expect(WorkerChannel.next(from: &bytes, limit: 3) == .message(frame))
    #expect(bytes == [8])
    for (header, limit) in [
      ([3, 0, 0, 0, 68], 2), ([3, 0, 0, 0, 67], 3), ([1, 0, 0, 0x80, 68], .max),
    ] {
      var bytes = header.map { UInt8($0) }
      #expect(
        WorkerChannel.next(from: &bytes, limit: min(limit, WorkerMessage.maxPayload))
          == .garbage)
    }
  }

  @Test func `random bytes never do harm`() {
    var random: any RandomNumberGenerator = SplitMix64(seed: 42)
    let good = Self.batch()
    let memory = Self.memory(of: good.records)
    for _ in 0..<20_000 {
      var bytes = memory
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      var batch = EventBatch()
      if Self.take(bytes, good.bytes, into: &batch) {
        #expect(batch.records.map { batch.value(of: $0).utf8.count }.reduce(0, +) < 20)
        #expect(batch.records.allSatisfy { $0.kind != .death })
      } else {
        #expect(batch.isEmpty)
      }
      if let end = Self.end(bytes) { #expect(end.content.upperBound == bytes.count) }
    }
  }
}

import Glibc
import Testing

@testable import HostCore

/// Events in memory that two processes see; here both sides are in one.
@Suite final class SharedBufferTests {
  private let host: SharedBuffer
  private let worker: SharedBuffer
  /// The memory as a worker sees it that writes what it likes.
  private let liar: SharedMemory

  init() throws {
    let memory = try SharedMemory(count: SharedBuffer.size)
    let number = memory.descriptor.number
    func again() throws -> SharedMemory {
      try SharedMemory(
        mapping: FileDescriptor(adopting: dup(number)), count: SharedBuffer.size)
    }
    worker = SharedBuffer(try again())
    liar = try again()
    host = SharedBuffer(memory)
  }

  private static func batch(_ values: [String]) -> EventBatch {
    var batch = EventBatch()
    for (step, value) in values.enumerated() {
      var record = EventBatch.Record(kind: .output, instance: 0)
      record.step = Int32(step)
      batch.append(record, name: [0x61].span, value: Array(value.utf8).span)
    }
    return batch
  }

  private func delivered(_ count: Int) -> [String] {
    unsafe worker.withDelivered(count) { records, bytes in
      unsafe records.map { record in
        let value = unsafe UnsafeRawBufferPointer(
          start: bytes + record.value.lowerBound, count: record.value.count)
        return unsafe String(decoding: value, as: UTF8.self)
      }
    }
  }

  private func emitted() -> [String] {
    var batch = EventBatch()
    guard host.takeEmitted(into: &batch) else { return ["refused"] }
    return batch.records.map { batch.value(of: $0) }
  }

  @Test func `what the host delivers is there, from any place in a batch`() {
    let events = Self.batch(["one", "", "three", "four"])
    #expect(host.deliver(events, from: 0) == 4)
    #expect(delivered(4) == ["one", "", "three", "four"])
    #expect(host.deliver(events, from: 2) == 4)
    #expect(delivered(2) == ["three", "four"])
    #expect(delivered(.max).count == SharedBuffer.maxRecords)
  }

  @Test func `each side sees which exchange the other one has come to`() {
    #expect(worker.announced == 0)
    #expect(!host.isAnswered(1))
    host.announce(.max)
    #expect(worker.announced == .max)
    worker.answer(.max)
    #expect(host.isAnswered(.max))
    // The worker may write what it likes. It only ends a wait.
    unsafe (liar.base + 24).storeBytes(of: .max, as: UInt64.self)
    #expect(!host.isAnswered(.max))
  }

  @Test func `what has no room is delivered later, and not at all if it is larger by itself`() {
    let large = String(repeating: "x", count: SharedBuffer.maxBatchBytes / 3)
    let events = Self.batch([large, large, large, "rest"])
    #expect(host.deliver(events, from: 0) == 2)
    #expect(delivered(2) == [large, large])
    #expect(host.deliver(events, from: 2) == 4)
    let largest = String(repeating: "x", count: SharedBuffer.maxBytes - 1)
    #expect(host.deliver(Self.batch([largest, "rest"]), from: 0) == 1)
    #expect(delivered(1) == [largest])
    #expect(host.deliver(Self.batch([largest + "x"]), from: 0) == 0)
    let many = Self.batch(Array(repeating: "", count: SharedBuffer.maxRecords + 1))
    #expect(host.deliver(many, from: 0) == SharedBuffer.maxRecords)
  }

  @Test func `what steps emitted is there as soon as they are finished`() {
    host.begin()
    var emissions = Self.batch(["one"])
    #expect(worker.commit(emissions, from: 0, 0, steps: 1))
    #expect(host.finishedSteps == 1)
    #expect(emitted() == ["one"])
    emissions.append(
      EventBatch.Record(kind: .output, instance: 0), name: [0x61].span, value: [0x62].span)
    #expect(worker.commit(emissions, from: 1, 4, steps: 7))
    #expect(host.finishedSteps == 7)
    #expect(emitted() == ["one", "b"])
    host.begin()
    #expect(host.finishedSteps == 0)
    #expect(emitted() == [])
  }

  @Test func `the memory of large events is given back once there are no more of them`() throws {
    func blocks() throws -> Int {
      var status = stat()
      try #require(unsafe fstat(liar.descriptor.number, &status) == 0)
      return status.st_blocks * 512
    }
    let large = Self.batch([String(repeating: "x", count: 10_000_000)])
    for _ in 0..<2 {
      #expect(host.deliver(large, from: 0) == 1)
      host.begin()
      #expect(worker.commit(large, from: 0, 0, steps: 1))
      #expect(emitted().map(\.utf8.count) == [10_000_000])
      #expect(try blocks() > 20_000_000)
    }
    let small = Self.batch([String(repeating: "y", count: SharedBuffer.maxBatchBytes - 1)])
    #expect(host.deliver(small, from: 0) == 1)
    host.begin()
    #expect(try blocks() < 4 << 20)
    #expect(delivered(1) == [small.value(of: small.records[0])])
    #expect(worker.commit(large, from: 0, 0, steps: 1))
    #expect(emitted().map(\.utf8.count) == [10_000_000])
  }

  @Test func `a step that emits more than there is room for changes nothing`() {
    host.begin()
    let large = String(repeating: "x", count: SharedBuffer.maxBytes)
    #expect(!worker.commit(Self.batch([large]), from: 0, 0, steps: 1))
    let many = Self.batch(Array(repeating: "", count: SharedBuffer.maxRecords + 1))
    #expect(!worker.commit(many, from: 0, 0, steps: 1))
    #expect(host.finishedSteps == 0)
    #expect(emitted() == [])
  }

  @Test(arguments: [.max, 8193 << 32, UInt64(SharedBuffer.maxBytes) + 1, 0xffff_ffff] as [UInt64])
  func `counts that are larger than the window are refused`(_ count: UInt64) {
    unsafe liar.base.storeBytes(of: count, as: UInt64.self)
    unsafe liar.base.storeBytes(of: UInt64.max, toByteOffset: 8, as: UInt64.self)
    #expect(emitted() == ["refused"])
    #expect(host.finishedSteps == .max)
  }
}

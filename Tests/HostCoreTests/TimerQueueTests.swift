import Testing

@testable import HostCore

struct TimerQueueTests {
  private func drain(_ queue: inout TimerQueue) -> [UInt64] {
    var ids: [UInt64] = []
    while let first = queue.first {
      ids.append(first.id)
      queue.removeFirst()
    }
    return ids
  }

  /// The same "random" numbers each time (Knuth's MMIX generator).
  private func deadlines(_ count: Int, below limit: UInt64) -> [Nanoseconds] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Nanoseconds((state >> 33) % limit)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 10, 1000])
  func `gives timers by deadline, equal ones in order`(_ count: Int) {
    var queue = TimerQueue()
    let deadlines = deadlines(count, below: 20)
    for (index, deadline) in deadlines.enumerated() {
      queue.insert(
        deadline: deadline, order: UInt64(index), instance: 0, id: UInt64(index))
    }
    #expect(queue.count == count)
    let expected = deadlines.indices.sorted { (deadlines[$0], $0) < (deadlines[$1], $1) }
    #expect(drain(&queue) == expected.map(UInt64.init))
    #expect(queue.first == nil)
  }

  @Test func `keeps its order when many are dropped at once`() {
    var queue = TimerQueue()
    let deadlines = deadlines(1000, below: 50)
    for (index, deadline) in deadlines.enumerated() {
      queue.insert(deadline: deadline, order: UInt64(index), instance: 0, id: UInt64(index))
    }
    queue.removeAll { $0.id % 3 != 0 }
    #expect(queue.count == 334)
    let expected = deadlines.indices.filter { $0 % 3 == 0 }
      .sorted { (deadlines[$0], $0) < (deadlines[$1], $1) }
    #expect(drain(&queue) == expected.map(UInt64.init))
    queue.removeAll { _ in true }
    #expect(queue.count == 0)
  }

  @Test func `keeps its order when timers come and go`() {
    var queue = TimerQueue()
    var last: Nanoseconds = 0
    for (index, delay) in deadlines(2000, below: 100).enumerated() {
      queue.insert(
        deadline: last + delay, order: UInt64(index), instance: 0, id: UInt64(index))
      if index % 2 == 1, let first = queue.first {
        #expect(first.deadline >= last)
        last = first.deadline
        queue.removeFirst()
      }
    }
    #expect(queue.count == 1000)
  }
}

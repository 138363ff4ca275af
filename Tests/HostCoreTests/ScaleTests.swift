import HostCore
import TestSupport
import Testing

extension InProcessTests {
  /// Memory and order of growth; nothing here looks at a clock. Each test has a process of its own,
  /// since other tests take memory meanwhile.
  struct ScaleTests {
    @Test func `a million inputs take no memory`() async {
      await #expect(processExitsWith: .success) {
        let test = try TestSession("echo")
        try test.open("echo")
        let instance = try test.session.instance("echo")
        let value = Array("\"batman\"".utf8)
        var outputs = 0
        func sendThousands(_ count: Int) throws {
          for _ in 0..<count {
            var batch = InputBatch()
            for _ in 0..<1000 {
              _ = test.session.add(to: &batch, instance, 0, value: value.span, tag: 0)
            }
            try test.session.deliver(&batch)
            outputs += test.session.events.count
            test.session.events.removeAll()
          }
        }
        try sendThousands(10)
        // Even a single byte an input would be 200 KB a round.
        let growth = try leastGrowth(in: 0..<5) { _ in try sendThousands(198) }
        #expect(growth < 100_000)
        #expect(outputs == 1_000_000)
      }
    }

    @Test func `the thousandth instance takes no more memory than the first`() async {
      await #expect(processExitsWith: .success) {
        let test = try TestSession("movies")
        func open(_ round: Int) throws {
          for index in 0..<100 { try test.open("movies.list", as: "i\(round)-\(index)") }
        }
        let first = try leastGrowth(in: 0..<5, open)
        let last = try leastGrowth(in: 5..<10, open)
        #expect(last <= max(first, 0) + 1 << 20)
        #expect(test.session.instances.count == 1000)
        let events = try test.send("didSearch", "\"batman\"", to: "i9-99")
        #expect(!events.isEmpty && events.allSatisfy { $0.contains(" i9-99.") })
      }
    }

    @Test func `a closed instance gives its memory back`() async {
      await #expect(processExitsWith: .success) {
        let test = try TestSession("echo")
        let growth = try leastGrowth(in: 0..<5) { _ in
          for _ in 0..<2000 {
            try test.open("echo")
            try test.session.close("echo")
          }
        }
        #expect(growth < 200_000)
      }
    }
  }
}

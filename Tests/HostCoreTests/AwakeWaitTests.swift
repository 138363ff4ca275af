import Testing

@testable import HostCore

/// Waits without sleep. None of these tests depends on how long they take.
struct AwakeWaitTests {
  /// How many waits in vain it leaves out before the next one that it makes.
  private static func leftOut(by wait: inout AwakeWait) -> Int {
    var count = 0
    while true {
      var checks = 0
      wait.wait {
        checks += 1
        return false
      }
      if checks > 1 { return count }
      count += 1
    }
  }

  @Test func `a wait ends when there is nothing to wait for`() {
    var (wait, checks) = (AwakeWait(), 0)
    wait.wait {
      checks += 1
      return checks == 3
    }
    #expect(checks == 3)
  }

  @Test func `after waits in vain, ever more are left out`() {
    var wait = AwakeWait()
    let counts = (0..<12).map { _ in Self.leftOut(by: &wait) }
    #expect(counts == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256])
  }

  @Test func `after a wait that was worth it, few are left out again`() {
    var wait = AwakeWait()
    _ = (0..<5).map { _ in Self.leftOut(by: &wait) }
    for _ in 0..<16 { wait.wait { false } }
    var checks = 0
    wait.wait {
      checks += 1
      return checks == 2
    }
    #expect(Self.leftOut(by: &wait) == 0)
    #expect(Self.leftOut(by: &wait) == 1)
  }
}

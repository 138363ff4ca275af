import Testing

@testable import HostCore

struct SessionPlanTests {
  @Test(
    arguments: [
      (Duration.seconds(24 * 3600), StepLimits.maxTime),
      (.seconds(24 * 3600 + 1), StepLimits.maxTime),
      (.seconds(Int64.max), StepLimits.maxTime),
      (.milliseconds(300), 300_000_000),
      (Duration(secondsComponent: 0, attosecondsComponent: 1), 1),
    ] as [(Duration, Nanoseconds)])
  func `a step may take 24 hours at most, as on the command line`(
    _ timeout: Duration, _ limit: Nanoseconds
  ) throws {
    let plan = try SessionPlan(
      host: Host(isolation: .inProcess), plugins: [], flow: nil,
      options: SessionOptions(stepTimeout: timeout))
    #expect(plan.configuration.limits.time == limit)
  }

  @Test(arguments: StepLimit.allCases)
  func `a limit that is too large is the largest, and one that isn't positive is invalid`(
    _ limit: StepLimit
  ) throws {
    var limits = StepLimits()
    limits[limit] = .max
    var largest = StepLimits()
    largest[limit] = limit.max
    #expect(try limits.checked(.seconds(10)) == largest)
    for value in [0, -1] {
      limits[limit] = value
      #expect(throws: HostError.self) { try limits.checked(.seconds(10)) }
    }
  }
}

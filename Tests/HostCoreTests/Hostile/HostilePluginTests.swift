import HostCore
import Testing

/// Every hostile act in every phase of a plugin's life, through real workers: the host lives, says
/// what happened, and nothing outside the worker was touched.
@Suite(.serialized) struct HostilePluginTests {
  private let available: Set<ConfinementLayer>

  init() throws {
    let report = try Confinement.probe()
    available = Set<ConfinementLayer>.all.filter { report[$0] == .on }
  }

  @Test func `says what a hostile plugin did, in every phase, and keeps it from all else`() throws {
    let targets = try HostileTargets()
    let isWhole = available == .all
    let cases = HostileAct.Case.all(HostileAct.all, HostilePhase.allCases)
    let problems = try HostileAct.problems(of: cases, HostileRun(layers: available), targets) {
      isWhole ? [$0.act.expected(in: $0.phase)] : $0.act.possible
    }
    #expect(problems == [])
    if isWhole { #expect(try targets.touched() == []) }
  }

  @Test(arguments: ConfinementLayer.allCases)
  func `outlives it without any one layer`(_ layer: ConfinementLayer) throws {
    // All phases after loading run under the same confinement.
    let cases = HostileAct.Case.all(HostileAct.all, [.load, .send])
    let run = HostileRun(layers: available.subtracting([layer]))
    let problems = try HostileAct.problems(of: cases, run, try HostileTargets()) {
      $0.act.possible
    }
    #expect(problems == [])
  }

  @Test func `outlives it without any layer`() throws {
    let targets = try HostileTargets()
    let cases = HostileAct.Case.all(HostileAct.all, HostilePhase.allCases)
    let problems = try HostileAct.problems(of: cases, HostileRun(layers: []), targets) {
      $0.act.unconfined
    }
    #expect(problems == [])
    // The same acts at the same targets: only confinement kept them from it.
    let touched = try targets.touched()
    for what in [
      "a connection by tcp", "a connection by unix", "a connection by abstract", "a datagram",
    ] {
      #expect(touched.contains(what))
    }
    #expect(touched.contains { $0.hasPrefix("the process ") })
    #expect(touched.contains { $0.hasPrefix("the file ") })
  }
}

import HostCore
import Testing

/// Plugins that lie to the host in the worker's name: it believes nothing that it can't check, and
/// lives.
@Suite struct ForgerTests {
  private let available: Set<ConfinementLayer>

  init() throws {
    let report = try Confinement.probe()
    available = Set<ConfinementLayer>.all.filter { report[$0] == .on }
  }

  private func run(without layer: ConfinementLayer? = nil) -> HostileRun {
    HostileRun(
      library: "forgerfixture", name: "forger.so",
      layers: available.subtracting([layer].compactMap { $0 }))
  }

  @Test func `says that a plugin lied, whatever it sends or writes, in every phase`() throws {
    let isWhole = available == .all
    let cases = HostileAct.Case.all(HostileAct.forgeries, HostilePhase.allCases)
    let problems = try HostileAct.problems(of: cases, run(), try HostileTargets()) {
      isWhole ? [expected($0)] : $0.act.possible
    }
    #expect(problems == [])
  }
}

/// A manifest is asked for while a plugin is loaded, under the confinement of what follows.
private func expected(_ item: HostileAct.Case) -> HostileOutcome {
  let act = item.act
  guard item.phase == .manifest, case .fails = act.loading else {
    return act.expected(in: item.phase)
  }
  return act.loading
}

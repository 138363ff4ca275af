import HostCore
import Testing

/// Every attempt, against all layers, none, each one alone and all but each one.
///
/// One after the other, because a process, here the tests' own, has one tracer at a time.
@Suite(.serialized) struct ConfinementMatrixTests {
  private let report: ConfinementReport
  private let available: Set<ConfinementLayer>

  init() throws {
    let report = try Confinement.probe()
    self.report = report
    available = Set<ConfinementLayer>.all.filter { report[$0] == .on }
  }

  private func run(
    _ attempt: ConfinementAttempt, _ layers: Set<ConfinementLayer>, stage: Int,
    _ targets: ConfinementTargets
  ) throws -> String {
    try ConfinementProbe(layers: layers, stage: stage)
      .attempt(attempt.name, targets.argument(for: attempt.name))
  }

  @Test(arguments: ConfinementAttempt.all, [1, 2])
  func `stops what a hostile plugin tries, with every layer on`(
    _ attempt: ConfinementAttempt, stage: Int
  ) throws {
    let outcome = try run(attempt, available, stage: stage, try ConfinementTargets())
    #expect((outcome == "done") == (stage == 1 && attempt.isAllowedWhileLoading))
  }

  @Test(arguments: ConfinementAttempt.all, [1, 2])
  func `would not be stopped by anything else`(
    _ attempt: ConfinementAttempt, stage: Int
  ) throws {
    guard attempt.isPossibleUnconfined else { return }
    #expect(try run(attempt, [], stage: stage, try ConfinementTargets()) == "done")
  }

  @Test(arguments: ConfinementAttempt.all, [1, 2])
  func `stops it by each layer that can do so alone, and by no other`(
    _ attempt: ConfinementAttempt, stage: Int
  ) throws {
    guard attempt.isPossibleUnconfined else { return }
    let targets = try ConfinementTargets()
    let stopping = try available.filter {
      try run(attempt, [$0], stage: stage, targets) != "done"
    }
    #expect(stopping == attempt.stopping(stage: stage, report))
  }

  @Test(arguments: ConfinementAttempt.all, [1, 2])
  func `stops it without any one layer as long as another can`(
    _ attempt: ConfinementAttempt, stage: Int
  ) throws {
    guard attempt.isPossibleUnconfined else { return }
    let targets = try ConfinementTargets()
    for layer in available {
      let rest = available.subtracting([layer])
      let isStopped = try run(attempt, rest, stage: stage, targets) != "done"
      let others = attempt.stopping(stage: stage, report).subtracting([layer])
      #expect(isStopped == !others.isEmpty, "without \(layer), \(others) should stop it")
    }
  }
}

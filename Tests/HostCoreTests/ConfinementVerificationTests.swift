import HostCore
import Testing

struct ConfinementVerificationTests {
  /// Runs a worker without `layer` that says it is on.
  private func lie(about layer: ConfinementLayer, stage: Int) throws {
    let probe = ConfinementProbe(
      layers: Set.all.subtracting([layer]), claimed: [layer], stage: stage)
    _ = try probe.attempt("nothing")
  }

  @Test(arguments: [
    (ConfinementLayer.limits, "\"Max processes\" is at most 0"),
    (ConfinementLayer.seccompLoad, "\"Seccomp: 2\""),
  ])
  func `notices a layer that isn't there before loading`(
    _ layer: ConfinementLayer, expected: String
  ) throws {
    let error = #expect(throws: ConfinementError.self) { try lie(about: layer, stage: 1) }
    guard case .contradicted(layer, expected, _) = error else {
      Issue.record("Another error: \(String(describing: error))")
      return
    }
  }

  @Test func `notices a missing second stage by the number of filters`() throws {
    let error = #expect(throws: ConfinementError.self) { try lie(about: .seccompRun, stage: 2) }
    #expect(
      error?.description.hasPrefix(
        "Could not confirm that the worker is confined: it says that \"seccomp-run\" is on, which "
          + "means \"Seccomp_filters: ") == true)
  }

  @Test func `notices privileges that were kept`() throws {
    let probe = ConfinementProbe(layers: [], claimed: [.privileges], stage: 1)
    #expect(
      throws: ConfinementError.contradicted(
        .privileges, expected: "\"NoNewPrivs: 1\"", found: "\"NoNewPrivs: 0\"")
    ) { _ = try probe.attempt("nothing") }
  }

  @Test(arguments: [ConfinementLayer.descriptors, .fixedAddresses, .namespaces])
  func `notices what the host itself failed to apply`(_ layer: ConfinementLayer) throws {
    let targets = try ConfinementTargets()
    let probe = ConfinementProbe(layers: Set.all.subtracting([layer]), stage: 1)
    let worker = try probe.start("nothing")
    var report = try Confinement.probe()
    guard report[layer] == .on else { return }
    report.adopt(try probe.receiveReport(from: worker))
    let error = #expect(throws: ConfinementError.self) {
      let confinement = Confinement(memory: 256 << 20)
      try ConfinementVerification.verify(
        worker.identifier, confinement, report, .beforeLoading, host: worker.host)
    }
    guard case .contradicted(layer, _, _) = error else {
      Issue.record("Another error: \(String(describing: error))")
      return
    }
    withExtendedLifetime(targets) {}
  }

  @Test func `notices a limit that is higher than the host's`() throws {
    let probe = ConfinementProbe(stage: 1)
    let worker = try probe.start("nothing")
    var report = worker.report
    report.adopt(try probe.receiveReport(from: worker))
    let confinement = Confinement(memory: 1 << 20)
    #expect(
      throws: ConfinementError.contradicted(
        .limits, expected: "\"Max data size\" is at most 1048576",
        found: "\"268435456 268435456\"")
    ) {
      try ConfinementVerification.verify(
        worker.identifier, confinement, report, .beforeLoading, host: worker.host)
    }
  }

  @Test func `says so when there is no such process`() throws {
    let error = #expect(throws: ConfinementError.self) {
      try ConfinementVerification.verify(
        .max, Confinement(), ConfinementReport(), .beforeLoading,
        host: .success(try HostConfinement()))
    }
    #expect(
      error?.description
        == "Could not confirm that the worker is confined: could not read "
        + "/proc/2147483647/status: No such file or directory.")
  }
}

import HostCore
import Testing

struct ConfinementReportTests {
  /// A report with these states; every other layer is on.
  private func report(_ states: [ConfinementLayer: (state: UInt8, error: UInt8)]) throws
    -> ConfinementReport
  {
    let bytes = ConfinementLayer.allCases.flatMap { layer -> [UInt8] in
      let (state, error) = states[layer] ?? (1, 0)
      return [state, error, 0, 0, layer == .landlock ? 7 : 0, 0, 0, 0]
    }
    guard let report = ConfinementReport(encoded: bytes.span) else {
      throw ProbeError("Not a report: \(bytes)")
    }
    return report
  }

  @Test func `crosses from worker to host unchanged`() throws {
    for original in [ConfinementReport(), try Confinement.probe(), try report([.limits: (2, 0)])] {
      let bytes = original.encoded
      let copy = ConfinementReport(encoded: bytes.span)
      #expect(copy == original)
    }
  }

  @Test func `refuses what is no report`() throws {
    let good = ConfinementReport().encoded
    var wrong = [[], Array(good.dropLast()), good + [0]]
    for (index, value) in [(0, 5), (0, 255), (2, 1), (3, 1), (8, 9)] {
      var bytes = good
      bytes[index] = UInt8(value)
      wrong.append(bytes)
    }
    for bytes in wrong {
      let report = ConfinementReport(encoded: bytes.span)
      #expect(report == nil)
    }
  }

  @Test func `takes nothing from a worker on the layers that the host applies`() throws {
    var host = ConfinementReport()
    host.adopt(try report([:]))
    #expect(
      host.missing() == [.descriptors, .fixedAddresses, .parentDeath, .namespaces])
  }

  @Test func `fails closed when a layer is missing, and names it`() throws {
    let partial = try report([.namespaces: (4, 1), .limits: (2, 0), .seccompRun: (0, 0)])
    let before = #expect(throws: ConfinementError.self) {
      try partial.require(.strict, .beforeLoading)
    }
    #expect(
      before?.description
        == "Could not confine the worker as \"strict\" demands: \"namespaces\" is not available: "
        + "Operation not permitted; \"limits\" is off: not requested. \"vmhost doctor\" says what "
        + "to do about it.")
    let late = try report([.seccompRun: (0, 0)])
    for mode in [SandboxMode.standard, .strict] {
      try late.require(mode, .beforeLoading)
      #expect(throws: ConfinementError.incomplete(mode, ["\"seccomp-run\" is not tried"])) {
        try late.require(mode, .afterLoading)
      }
    }
  }

  @Test(arguments: ConfinementLayer.allCases, SandboxMode.allCases)
  func `refuses a missing layer in the modes that demand it`(
    _ layer: ConfinementLayer, _ mode: SandboxMode
  ) throws {
    let partial = try report([layer: (4, 1)])
    let isDemanded =
      switch layer {
      case .fixedAddresses: false
      case .namespaces: mode == .strict
      case .descriptors, .parentDeath, .privileges, .limits, .landlock, .seccompLoad, .seccompRun:
        mode == .strict || mode == .standard
      }
    let doctor = ConfinementDoctor(partial)
    #expect(doctor.refusals(of: mode) == (isDemanded ? [layer] : []))
    #expect(doctor.missing == [layer])
    do throws(ConfinementError) {
      try partial.require(mode, .afterLoading)
      #expect(!isDemanded)
    } catch {
      let words = "\"\(layer.rawValue)\" is not available: Operation not permitted"
      #expect(error == .incomplete(mode, [words]))
      #expect(isDemanded)
    }
  }

  @Test func `advises on what is missing, and on nothing else`() throws {
    let doctor = ConfinementDoctor(
      try report([.namespaces: (4, 28), .landlock: (3, 38), .limits: (2, 0)]))
    let advised = doctor.findings.filter { $0.advice != nil }
    #expect(advised.map(\.layer) == [.namespaces, .landlock])
    #expect(advised.map(\.isOn) == [false, false])
    #expect(
      advised.first?.advice == "Raise user.max_user_namespaces with sysctl; it is used up, or 0.")
    #expect(advised.last?.advice == "Use Linux 5.13 or newer, built with Landlock.")
    #expect(advised.last?.text == "not available: Function not implemented")
    #expect(doctor.findings.first?.text == "on")
  }
}

import HostCore
import TestSupport
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

  @Test(arguments: ConfinementLayer.allCases)
  func `says so without any one layer`(_ layer: ConfinementLayer) throws {
    let cases = HostileAct.Case.all(HostileAct.forgeries, [.load, .send])
    let problems = try HostileAct.problems(
      of: cases, run(without: layer), try HostileTargets()
    ) { $0.act.possible }
    #expect(problems == [])
  }

  @Test(
    arguments: [
      ("111111110", "\"seccomp-run\" is not tried, which is impossible"),
      ("111111112", "\"seccomp-run\" is off: not requested, which is impossible"),
      ("111111100", "\"seccomp-load\" is not tried, which is impossible"),
      ("111111210", "\"landlock\" is off: not requested, which is impossible"),
      ("111111111", "\"seccomp-run\" is on, which means \"Seccomp_filters: "),
    ])
  func `believes no plugin that says in the worker's place how it is confined`(
    _ states: String, _ words: String
  ) throws {
    guard available == .all else { return }
    let result = try run()("impersonate:\(states)", in: .load)
    let beginning =
      "Could not load \"forger.so\": Could not confirm that the worker is confined: it says that "
    #expect(result.error?.hasPrefix(beginning + words) == true, "\(result.error ?? "no error")")
    #expect(result.error?.hasSuffix("The plugin was not trusted further.") == true)
  }

  @Test func `counts no filter of the plugin's own as the second stage`() throws {
    guard available == .all else { return }
    let result = try run()("impersonate-with-filter:111111111", in: .load)
    let words = "\"seccomp-run\" is on, which means \"Seccomp_filters: "
    #expect(result.error?.contains(words) == true, "\(result.error ?? "no error")")
  }

  @Test func `takes no report that is none`() throws {
    let result = try run()("impersonate:999999999", in: .load)
    #expect(result.error == "Could not load \"forger.so\": its worker broke the protocol.")
  }

  /// What lives on is as good as any plugin; what doesn't is named.
  private func outlives(_ act: String, in phase: HostilePhase) throws -> [String] {
    var run = run()
    run.isHanging = true
    let result = try run(act, in: phase)
    let isNamed = result.error.map {
      $0.hasPrefix("forger.so ") || $0.hasPrefix("Could not load \"forger.so\": ")
    }
    return isNamed == false ? ["\(phase) \(act): \(result.error ?? "")"] : []
  }

  /// The answer that the host waits for, before the worker itself gives it: its number, what it
  /// says was done, and what it says was emitted.
  @Test func `outlives an answer in the worker's place`() throws {
    var acts: [(act: String, phase: HostilePhase)] = []
    for phase in HostilePhase.allCases where phase.isOfInstance {
      for numbers in [[1], [1, 1, 0], [2, 1, 0], [3, 0, 0], [2, 1, 1], [2, 1, 0xff_ffff]] {
        let bytes = numbers.flatMap { number in
          (0..<4).map { byte in
            let value = String(number >> (8 * byte) & 0xff, radix: 16)
            return value.count == 1 ? "0" + value : value
          }
        }
        let frame = "68,\(bytes.count),\(bytes.joined())"
        acts.append(("send-frame:\(frame)", phase))
        acts.append(("claim-full:\(frame)", phase))
      }
    }
    #expect(try inLanes(acts) { try outlives($0.act, in: $0.phase) } == [])
  }

  @Test func `outlives a plugin that writes over all that is shared`() throws {
    let acts = HostilePhase.allCases.flatMap { phase in
      ["ff", "zero", "chance"].map { ("scribble:\($0)", phase) }
    }
    #expect(try inLanes(acts) { try outlives($0.0, in: $0.1) } == [])
  }

  @Test func `outlives a count of steps that is too large for a sum`() throws {
    let plugin = try RemotePlugin(
      path: try BuildProducts.library("forgerfixture"), name: "forger.so",
      sandbox: Sandbox(worker: try BuildProducts.executable("vmhost")))
    var specification = InstanceSpecification(viewModel: "acting")
    specification.config = Array("{\"act\":\"send:scribble-and-crash:ff\"}".utf8)
    var emissions = EventBatch()
    plugin.create(specification, as: 0, into: &emissions)
    var record = EventBatch.Record(kind: .input, instance: 0)
    record.port = 0
    var batch = EventBatch()
    for _ in 0..<3 { batch.append(record, name: Array("go".utf8).span, value: [UInt8]().span) }
    emissions.removeAll()
    // The count is added to the number of the first step.
    #expect(plugin.deliver(batch, from: 1, into: &emissions) == 3)
    #expect(emissions.records.map(\.kind) == [.death])
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

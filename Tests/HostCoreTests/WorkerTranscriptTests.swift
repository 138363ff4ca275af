import HostCore
import TestSupport
import Testing

/// Transcripts that a worker plays by itself, several at once.
@Suite struct WorkerTranscriptTests {
  private static func transcript(_ fault: String, expecting second: Int = 2) -> [UInt8] {
    let text = """
      vmt 1
      @plugin brokenfixture.so
      @seed 1
      @open broken {"fault":"\(fault)","key":null}
      < info {"config":{"fault":"\(fault)","key":null},"epoch":0,"locale":"en_US",\
      "seed":10451216379200822465,"time":0,"timeZone":"UTC"}
      < second \(second)
      > go

      """
    return Array(text.utf8)
  }

  private func plugin(time: Nanoseconds = 5_000_000_000) throws -> RemotePlugin {
    var limits = StepLimits()
    limits.time = time
    return try RemotePlugin(
      path: try BuildProducts.library("brokenfixture"), name: "brokenfixture.so", limits: limits,
      sandbox: try TestSession.sandbox)
  }

  /// A verdict without its time. A worker may stop after any transcript, if the machine is busy.
  private func verdicts(
    _ transcripts: [[UInt8]], by plugin: RemotePlugin
  ) -> [WorkerVerdict] {
    var verdicts: [WorkerVerdict] = []
    while verdicts.count < transcripts.count, plugin.ending == nil {
      verdicts += plugin.play(Array(transcripts[verdicts.count...]))
    }
    return verdicts.map { WorkerVerdict($0.finding, steps: $0.steps) }
  }

  private let good = transcript("none")
  private let passed = WorkerVerdict(.asWritten, steps: 2)

  @Test func `each transcript has its own verdict`() throws {
    let plugin = try plugin()
    let script = Array("vmt 1\n@plugin brokenfixture.so\n@open broken\n".utf8)
    let found = verdicts(
      [
        good, Self.transcript("none", expecting: 3), good, Self.transcript("unknown-kind"), script,
        good,
      ], by: plugin)
    let findings: [WorkerVerdict.Finding] = [
      .asWritten, .otherwise, .asWritten, .otherwise, .notPlayed, .asWritten,
    ]
    #expect(found.map(\.finding) == findings)
    #expect([found[0], found[2], found[5]] == [passed, passed, passed])
    #expect(plugin.ending == nil)
  }

  @Test(arguments: [
    ("crash-in-send", PluginFailure.crash, Nanoseconds(5_000_000_000)),
    ("hang-in-send", PluginFailure.hang, 300_000_000),
  ])
  func `the verdicts before the end of the process are there, and none behind it`(
    fault: String, failure: PluginFailure, time: Nanoseconds
  ) throws {
    let plugin = try plugin(time: time)
    let good = Array(repeating: good, count: 6)
    let found = verdicts(good + [Self.transcript(fault)] + good, by: plugin)
    #expect(found == Array(repeating: passed, count: 6))
    #expect(plugin.failure == failure)
    #expect(plugin.play([self.good]) == [])
  }

  @Test func `a worker begins no further transcript after one that took long`() throws {
    let plugin = try RemotePlugin(
      path: try BuildProducts.library("confinedfixture"), name: "confinedfixture.so",
      sandbox: try TestSession.sandbox)
    let head = "vmt 1\n@plugin confinedfixture.so\n@open confined.slow\n"
    let transcripts = ["> busy 20\n< done\n", "> quick\n< done\n"].map { Array((head + $0).utf8) }
    let verdicts = plugin.play(transcripts)
    // On a busy machine a step may count as slow, which the host is to see for itself.
    let findings: [WorkerVerdict.Finding] = [.asWritten, .notPlayed]
    #expect(verdicts.count == 1 && verdicts.allSatisfy { findings.contains($0.finding) })
    #expect(verdicts.allSatisfy { $0.time >= 20_000_000 })
    #expect(plugin.ending == nil)
    let later = plugin.play([transcripts[1]])
    #expect(later.count == 1 && later.allSatisfy { findings.contains($0.finding) })
  }
}

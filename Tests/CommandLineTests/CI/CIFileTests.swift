import Foundation
import TestSupport
import Testing

/// The files for CI engines in `Examples/ci`: their shell steps are run.
struct CIFileTests {
  @Test(arguments: CIFile.Engine.allCases)
  func `builds, tests in four shards and reports`(_ engine: CIFile.Engine) async throws {
    try await TemporaryDirectory.with { folder in
      let run = try await CIRun(engine, in: folder)
      let (build, built) = try await run.job("build")
      try #require(build.status == .success, "\(build.stdout)\(build.stderr)")
      let artifacts = ["plugins", "plugins.lock"].map { "\(built)/\($0)" }

      var statuses: [TestSupport.ExitStatus] = []
      var shards: [String] = []
      for shard in 1...4 {
        let (output, place) = try await run.job("test", shard: shard, with: artifacts)
        statuses.append(output.status)
        shards.append("\(place)/shard-\(shard).jsonl")
        let events = try? String(contentsOfFile: shards[shard - 1], encoding: .utf8)
        #expect(events?.contains("\"shard\":\"\(shard)/4\"") == true, "\(output.stderr)")
      }
      #expect(statuses.filter { $0 == .success }.count == 3)
      #expect(statuses.filter { $0 == .exited(1) }.count == 1)

      let (report, place) = try await run.job("report", with: artifacts + shards)
      #expect(report.status == .exited(1))
      #expect(report.stdout.contains("FAILED  Transcripts/4.vmt:5  expected < said 2"))
      #expect(report.stdout.contains("8 passed, 1 failed in "), "\(report.stderr)")
      let tests = try String(contentsOfFile: "\(place)/tests.xml", encoding: .utf8)
      #expect(tests.contains(" tests=\"9\" failures=\"1\" "))
      let times = "\(place)/timings.json"
      #expect(FileManager.default.fileExists(atPath: times))

      // The next run divides by these times.
      let (next, _) = try await run.job("test", shard: 2, with: artifacts + [times])
      #expect(next.status == .success || next.status == .exited(1), "\(next.stderr)")

      // A shard that was lost isn't taken for one that passed.
      let (lost, _) = try await run.job("report", with: artifacts + shards.dropLast())
      #expect(lost.status == .exited(2))
      #expect(lost.stderr.contains("4/4"), "\(lost.stderr)")

      // Another library than the one that the build job locked.
      try FileHandle(forWritingAtPath: "\(built)/plugins/libecho.so").map { library in
        try library.seekToEnd()
        try library.write(contentsOf: Data([0]))
        try library.close()
      }
      let (other, _) = try await run.job("test", with: artifacts)
      #expect(other.status == .exited(3), "\(other.stdout)\(other.stderr)")
      #expect((other.stdout + other.stderr).contains("plugins.lock"))
    }
  }

  @Test(arguments: CIFile.Engine.allCases)
  func `unpacks no archive with another sum`(_ engine: CIFile.Engine) async throws {
    try await TemporaryDirectory.with { folder in
      let run = try await CIRun(engine, in: folder)
      for job in ["build", "test", "report"] {
        let (output, place) = try await run.job(
          job, variables: ["VMHOST_SHA256": String(repeating: "0", count: 64)])
        #expect(output.status == .exited(1))
        #expect(output.stdout.hasSuffix("vmhost.tar.gz: FAILED\n"), "\(output.stdout)")
        #expect(!FileManager.default.fileExists(atPath: "\(place)/.vmhost"))
      }
      let (missing, _) = try await run.job("test", variables: ["VMHOST_URL": "file:///nowhere"])
      #expect(missing.status == .exited(37))
    }
  }

  @Test func `all jobs for GitHub install vmhost alike, and test what the variables say`() throws {
    let file = try CIFile(.github)
    let installs = Set(file.jobs.values.flatMap { $0 }.filter { $0.hasPrefix("curl ") })
    #expect(installs.count == 1)
    #expect(file.jobs.mapValues(\.count) == ["build": 3, "test": 2, "report": 2])
    #expect(file.text.contains("          SHARD: ${{ matrix.shard }}\n"))
    #expect(file.text.contains("  SHARDS: 4\n"))
    #expect(file.text.contains("        shard: [1, 2, 3, 4]\n"))
    #expect(try CIFile(.gitlab).text.contains("\n  parallel: 4\n"))
  }
}

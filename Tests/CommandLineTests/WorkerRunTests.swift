import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// Transcripts that a worker plays before the host does.
@Suite struct WorkerRunTests {
  @Test func `a worker and the host find the same differences`() async throws {
    let originals = "\(try Repository.root())/Tests/Transcripts/movies"
    let names = try FileManager.default.contentsOfDirectory(atPath: originals)
    try await TemporaryDirectory.with { folder in
      for name in names {
        let text = try String(contentsOfFile: "\(originals)/\(name)", encoding: .utf8)
        try folder.write(try #require(Self.withoutLastOutput(text), "\(name)"), to: name)
      }
      let inWorker = try await VMHostRun.output(["test", folder.path])
      let played = try await VMHostRun.output(["test", "--in-process", folder.path])
      #expect(inWorker.status == .exited(1))
      #expect(played.status == .exited(1))
      // The last line says how long it took.
      let isSame = inWorker.lines.dropLast().elementsEqual(played.lines.dropLast())
      #expect(isSame, "\(inWorker.stdout.prefix(2000))\n\(played.stdout.prefix(2000))")
      #expect(inWorker.lines.last?.hasPrefix("\(names.count) failed in ") == true)
    }
  }

  /// The last output is then one that a step's lines don't say.
  private static func withoutLastOutput(_ transcript: String) -> String? {
    var lines = transcript.split(separator: "\n", omittingEmptySubsequences: false)
    guard let last = lines.lastIndex(where: { $0.hasPrefix("< ") }) else { return nil }
    var end = last + 1
    while lines[end].hasPrefix("  ") { end += 1 }
    lines.removeSubrange(last..<end)
    return lines.joined(separator: "\n")
  }

  @Test func `what passes only in a new process is nondeterministic`() async throws {
    try await TemporaryDirectory.with { folder in
      let transcript =
        "vmt 1\n@plugin determinismfixture.so\n@open sources.surroundings\n"
        + "> globals\n< saw \"1\"\n"
      for name in ["a.vmt", "b.vmt"] { try folder.write(transcript, to: name) }
      let output = try await VMHostRun.output(["test", "--jobs", "1", folder.path])
      #expect(
        output.stdout.contains(
          "\(folder.file("b.vmt")): it passes now, but just before, in a process that other"
            + " transcripts may have used, the plugin didn't do what its lines say. Does it keep"
            + " something in a global variable?\n"),
        "\(output.stdout)")
      #expect(
        output.lines.last?.hasPrefix("1 passed, 1 nondeterministic in ") == true,
        "\(output.stdout)")
      #expect(output.status == .exited(5))
    }
  }

  @Test func `what fails in every process starts no process of its own`() async throws {
    let failing = ShopPlugin.transcript.replacing("< total 2", with: "< total 3")
    let files = (1...40).map { ("\($0).vmt", $0 == 20 ? ShopPlugin.transcript : failing) }
    try await TestFolder.with(Dictionary(uniqueKeysWithValues: files)) { folder in
      // The plugin counts how often it is loaded, which only an unconfined one can.
      try await ShopPlugin.compile(
        "COUNTED", into: folder.path, ["-DCOUNT_FILE=\"\(folder.file("count"))\""])
      let output = try await folder.test([".", "--jobs", "1", "--sandbox", "off"])
      #expect(output.summary == "1 passed, 39 failed in TIME")
      // The second one confirms the first failure.
      #expect(try folder.text("count") == "..")
    }
  }

  @Test func `a failure that passes in a new process makes the others suspect`() async throws {
    func transcript(_ number: Int) -> String {
      "vmt 1\n@plugin determinismfixture.so\n@open sources.surroundings\n"
        + "> globals\n< saw \"\(number)\"\n"
    }
    let files = [
      "a.vmt": transcript(1), "b.vmt": transcript(1), "c.vmt": transcript(70),
      "d.vmt": transcript(1), "e.vmt": transcript(1),
    ]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--jobs", "1"])
      #expect(output.summary == "1 passed, 1 failed, 3 nondeterministic in TIME")
    }
  }

  @Test func `a failure of one plugin confirms none of another`() async throws {
    let kept =
      "vmt 1\n@plugin determinismfixture.so\n@open sources.surroundings\n> globals\n"
      + "< saw \"1\"\n"
    let files = ["a.vmt": Sample.failed, "b.vmt": kept, "c.vmt": kept]
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--jobs", "1"])
      #expect(output.summary == "1 passed, 1 failed, 1 nondeterministic in TIME")
    }
  }

  /// So many that several go to the worker at once.
  private static func many(_ text: String, except others: [Int: String]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: (1...80).map { ("\($0 + 100).vmt", others[$0 + 100] ?? text) })
  }

  @Test func `what ends badly among many is named, and the others pass`() async throws {
    let failed = Sample.broken("none")
    let files = Self.many(
      failed.replacing("< rang\n", with: ""),
      except: [
        103: Sample.crashed, 110: failed,
        127: Sample.hung, 128: Sample.brokenContract, 131: "", 132: Sample.passed,
        133: Sample.unverified,
      ])
    try await TestFolder.with(files) { folder in
      let output = try await folder.test(
        [".", "--jobs", "1", "--step-timeout", "500ms", "--events", "e.jsonl"])
      let results = try folder.events("e.jsonl").results
      #expect(results.map(\.path) == files.keys.sorted().map { "./\($0)" })
      let bad = results.filter { $0.verdict != .passed }.map { "\($0.path) \($0.verdict)" }
      #expect(
        bad == [
          "./103.vmt crashed", "./110.vmt failed", "./127.vmt timedOut", "./128.vmt crashed",
          "./131.vmt invalid", "./133.vmt unverified",
        ], "\(output.stdout)")
    }
  }

  @Test func `a crash among many that only a used process has is told of its transcript`()
    async throws
  {
    func transcript(_ crashes: Bool) -> String {
      "vmt 1\n@plugin determinismfixture.so\n@open sources.surroundings\n"
        + "> crashIfUsed \(crashes)\n< saw \"counted\"\n"
    }
    let files = Self.many(transcript(false), except: [107: transcript(true)])
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--jobs", "1"])
      #expect(output.summary == "79 passed, 1 nondeterministic in TIME")
      #expect(
        output.stdout.contains("./107.vmt: it passes now, but just before, "), "\(output.stdout)")
      #expect(output.stdout.contains(" the plugin crashed."), "\(output.stdout)")
    }
  }

  @Test func `no result follows the failure that ends the run`() async throws {
    let files = Self.many(Sample.passed, except: [105: Sample.failed])
    try await TestFolder.with(files) { folder in
      let output = try await folder.test([".", "--jobs", "1", "--fail-fast"])
      #expect(output.summary == "4 passed, 1 failed in TIME", "\(output.stdout)")
    }
  }

  @Test(arguments: [
    ("as it should be", "@end\n", Int32(0)),
    ("an input after the end", "@end\n> globals\n", 2),
    ("a comment after the end", "@end\n# that was it\n\n", 0),
    ("no end", "", 2),
    ("no line feed behind the end", "@end", 0),
    ("no version", "@end\nvmt 1\n", 2),
  ])
  func `a worker passes no recording that isn't whole`(
    what: String, end: String, status: Int32
  ) async throws {
    try await TemporaryDirectory.with { folder in
      let transcript =
        "vmt 1\n@recorded {}\n@plugin determinismfixture.so\n@open sources.surroundings\n"
        + "> globals\n< saw \"1\"\n\(end)"
      let path = try folder.write(transcript, to: "r.vmt")
      for mode in [[], ["--in-process"]] {
        let output = try await VMHostRun.output(["test", path] + mode)
        #expect(output.status == .exited(status), "\(what) \(mode): \(output.stdout)")
      }
    }
  }
}

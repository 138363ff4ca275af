import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// `vmhost test --html` and `vmhost merge-reports --html`.
struct TestPageTests {
  private static func transcript(_ items: String) -> String {
    "vmt 1\n@plugin movies.so\n@open movies.list\n< items \(items)\n"
  }

  /// Two transcripts that differ in the same way, one that differs in another, and one that passes.
  private static let files = [
    "t/a.vmt": transcript("[1]"),
    "t/b.vmt": transcript("[1]").replacing("vmt 1", with: "vmt 1\n# A comment."),
    "t/c.vmt": transcript("[2]"), "t/invalid.vmt": "vmt 1\n@opne x\n",
    "t/passes.vmt": "vmt 1\n@plugin hello.so\n@open hello.greeter\n< greeting \"Hello!\"\n",
  ]

  /// The groups of equal differences: each with the first line that was expected, and its files.
  private static func groups(_ page: PageFile) throws -> [String] {
    try page.lines("group").map { line in
      let group = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let lines = group?["lines"] as? [[String: Any]] ?? []
      let files = group?["files"] as? [[String: Any]] ?? []
      let expected = lines.first { $0["side"] as? String == "expected" }?["text"] ?? "none"
      let places = files.map { "\($0["path"] ?? ""):\($0["line"] ?? "")" }
      return "\(expected) in \(places.joined(separator: " "))"
    }
  }

  @Test func `has each difference once, and the session of each failure`() async throws {
    try await TestFolder.with(Self.files) { folder in
      let output = try await folder.test(
        ["t", "--html", "page.html", "--events", "events.jsonl", "--port-coverage"])
      #expect(output.status == .exited(2))
      let page = try PageFile(folder.file("page.html"))
      let events = try folder.text("events.jsonl").split(separator: "\n").map(String.init)
      #expect(
        try page.lines("run", "result").sorted()
          == events.filter { !$0.contains("\"counts\"") }.sorted())
      #expect(try page.lines("end").first { $0.contains("\"counts\"") } != nil)
      #expect(
        try Self.groups(page) == [
          "< items [1] in t/a.vmt:4 t/b.vmt:5", "< items [2] in t/c.vmt:4",
          "none in t/invalid.vmt:2",
        ])
      let traces = try page.lines("trace")
      #expect(
        traces.map { $0.components(separatedBy: "\"")[7] } == [
          "t/a.vmt", "t/b.vmt", "t/c.vmt", "t/invalid.vmt",
        ])
      #expect(try page.lines("difference").count == 3)
      let coverage = try page.lines("coverage")
      #expect(coverage.count == 1)
      #expect(coverage[0].contains("{\"kind\":\"state\",\"viewModel\":\"movies.list\""))
    }
  }

  @Test func `is there from the start, and says what it can't write`() async throws {
    try await TestFolder.with(Self.files) { folder in
      let output = try await folder.test(["t/passes.vmt", "--html", "no/page.html"])
      #expect(output.stderr.contains("could not write \"no/page.html\""))
      #expect(output.status == .exited(74))
      #expect(output.stdout == "")
    }
  }

  @Test func `is merged from pages and events of shards`() async throws {
    try await TestFolder.with(Self.files) { folder in
      let whole = ["t", "--html", "all.html", "--port-coverage"]
      _ = try await folder.test(whole)
      for shard in 1...2 {
        _ = try await folder.test(
          ["t", "--shard", "\(shard)/2", "--html", "\(shard).html", "--events", "\(shard).jsonl"]
            + ["--port-coverage"])
      }
      let all = try PageFile(folder.file("all.html"))
      for files in [["1.html", "2.html"], ["2.jsonl", "1.html"], ["1.jsonl", "2.jsonl"]] {
        let output = try await VMHostRun.output(
          ["merge-reports", "--html", "merged.html"] + files, workingDirectory: folder.path)
        #expect(output.status == .exited(2), "\(output.stderr)")
        let merged = try PageFile(folder.file("merged.html"))
        #expect(try merged.lines("result").count == 5)
        guard files == ["1.html", "2.html"] else { continue }
        #expect(try Self.groups(merged).sorted() == Self.groups(all).sorted())
        #expect(try merged.lines("trace").sorted() == all.lines("trace").sorted())
        #expect(try merged.lines("coverage") == all.lines("coverage"))
      }
    }
  }

  private static let run = """
    {"kind":"run","schema":1,"vmhost":"0.2.0","total":0,"count":0,"selection":"x"}

    """

  @Test(arguments: [
    (Page.Kind.session, "", "\"p.html\" is a page, but not one of a run of tests."),
    (.tests, "", "\"p.html\" has no line of kind \"run\""),
    (.tests, run, "p.html:1: the file ends without a line of kind \"end\""),
    (.tests, run + "{\"kind\":\"group\",\"key\":\"k\"}\n", "p.html:2:1: a line of kind \"group\""),
    (.tests, run + "{\"kind\":\"group\"\n", "p.html:2:"),
    (
      .tests, run + "{\"kind\":\"coverage\",\"ports\":[{\"kind\":\"input\"}]}\n",
      "p.html:2:1: each of \"ports\" needs"
    ),
  ])
  func `is refused by a merge if it is broken`(
    _ kind: Page.Kind, _ lines: String, _ message: String
  ) async throws {
    try await TemporaryDirectory.with { folder in
      let page = Page.bytes(kind, title: "t", lines: Array(lines.utf8))
      try folder.write(String(decoding: page, as: UTF8.self), to: "p.html")
      let output = try await VMHostRun.output(
        ["merge-reports", "p.html"], workingDirectory: folder.path)
      #expect(output.stderr.contains(message), "\(output.stderr)")
      #expect(output.status == .exited(2))
    }
  }
}

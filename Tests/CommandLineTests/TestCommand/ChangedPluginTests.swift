import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// A plugin changes, and its transcript doesn't: what `test` and `replay` say, and what an update
/// makes of it.
struct ChangedPluginTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// What the macros in the plugin's source are called behind `CHANGE_`.
    let change: String
    var verdict = Verdict.failed
    /// The line of the first finding, and what is said of it.
    let line: Int
    let words: String
    /// How many steps can't be played.
    var skipped = 0
    let update: Update

    var testDescription: String { change }
  }

  /// What an update makes of the transcript.
  enum Update {
    /// It is rewritten, and passes.
    case passes
    /// It is rewritten as far as possible, and fails.
    case fails
    /// It stays as it is.
    case isUnchanged
  }

  private static let noSearch =
    "the plugin made one request fewer: expected ? 1 http {\"url\":\"/search?q=tea\"}"

  private static let cases = [
    Case(
      change: "OUTPUT_MORE", line: 14, words: "found < opened \"again\", which no line expects",
      update: .passes),
    Case(
      change: "OUTPUT_LESS", line: 11, words: "expected < total 2, but it was not emitted",
      update: .passes),
    Case(
      change: "OUTPUT_OTHER", line: 5, words: "expected < total 0, found < total \"0 items\"",
      update: .passes),
    Case(
      change: "OUTPUT_LATER", line: 16,
      words: "expected < opened {\"price\":3}, but it was not emitted", update: .passes),
    Case(
      change: "OUTPUT_ORDER", line: 10,
      words: "expected < items [\"green\",\"black\"] here, found it later (and 1 more difference)",
      update: .passes),
    Case(
      change: "OUTPUT_RENAMED", line: 4,
      words: "shop has no output \"items\". Did you mean \"rows\"?", update: .passes),
    Case(
      change: "SIGNAL_GONE", line: 13, words: "expected < opened \"green\", but it was not emitted",
      update: .passes),
    Case(
      change: "STATE_ADDED", line: 5, words: "found < isEmpty true, which no line expects",
      update: .passes),
    Case(change: "STATE_REMOVED", line: 5, words: "shop has no output \"total\".", update: .passes),
    Case(
      change: "REQUEST_MORE", line: 7,
      words: "the plugin made one more request: found ? 1 track {\"event\":\"search\"}"
        + " (and 1 more difference)",
      update: .fails),
    Case(
      change: "REQUEST_LESS", line: 7,
      words: noSearch,
      skipped: 2, update: .passes),
    Case(
      change: "REQUEST_OTHER", line: 7,
      words: "request 1 http is another one: expected {\"url\":\"/search?q=tea\"},"
        + " found {\"url\":\"/v2/search?q=tea\"}",
      update: .passes),
    Case(
      change: "REQUEST_LATER", line: 7,
      words: noSearch,
      skipped: 1, update: .passes),
    Case(
      change: "REQUEST_TIMED", line: 7,
      words: noSearch,
      skipped: 2, update: .passes),
    Case(
      change: "EFFECT_RENAMED", line: 7,
      words: "shop never asks for \"http\". Did you mean \"fetch\"?", update: .passes),
    Case(
      change: "REPLY_REFUSED", line: 9,
      words: "shop refused the reply to its \"http\": expected a page", skipped: 1,
      update: .isUnchanged),
    Case(
      change: "INPUT_RENAMED", line: 6,
      words: "shop has no input \"search\". Did you mean \"searchFor\"?", skipped: 3, update: .fails
    ),
    Case(
      change: "INPUT_REMOVED", line: 18, words: "shop has no input \"clear\".", skipped: 1,
      update: .isUnchanged),
    Case(
      change: "INPUT_TYPE", line: 6,
      words: "shop can't take this value for \"search\": expected an object, found \"tea\".",
      skipped: 3, update: .fails),
    Case(
      change: "VIEW_MODEL_RENAMED", line: 3,
      words: "there is no view model \"shop\". There are: \"store\", \"item\".", skipped: 6,
      update: .isUnchanged),
    Case(
      change: "CONFIG_REFUSED", line: 3, words: "shop would not open: it needs a currency",
      skipped: 6, update: .isUnchanged),
    Case(
      change: "FAULT", line: 6, words: "shop failed in \"search\": \"out of luck\"",
      update: .isUnchanged),
    Case(
      change: "CRASH", verdict: .crashed, line: 6,
      words: "shop.so crashed with signal 6 (Aborted) while it handled the input \"search\": it"
        + " called abort, and a plugin doesn't end its process; throw an error.",
      update: .isUnchanged),
    Case(
      change: "HANG", verdict: .timedOut, line: 6,
      words: "shop.so hangs: it did not return within 300ms while it handled the input"
        + " \"search\".",
      update: .isUnchanged),
    Case(
      change: "CONTRACT", verdict: .crashed, line: 6,
      words: "shop.so broke its contract at the input \"search\": shop (shop): it emitted"
        + " \"nothing\", which isn't in its manifest.",
      update: .isUnchanged),
  ]

  @Test(arguments: cases)
  func `is judged, reported and accepted by what has changed`(_ each: Case) async throws {
    try await TestFolder.with(["a.vmt": ShopPlugin.transcript]) { folder in
      try await ShopPlugin.compile(each.change, into: folder.path)
      let options = each.verdict == .timedOut ? ["--step-timeout", "300ms"] : []
      let reports = ["--junit", "j.xml", "--events", "e.jsonl"]
      let output = try await folder.test(["a.vmt"] + reports + options)
      let first = "\(each.verdict.text): a.vmt:\(each.line): \(each.words)\n"
      #expect(output.stdout.hasPrefix(first), "\(output.stdout)")
      #expect(output.status == .exited(each.verdict.outcome.status))
      let result = try #require(try folder.events("e.jsonl").results.first)
      #expect(result.verdict == each.verdict)
      #expect(result.skippedSteps == each.skipped)
      let element = each.verdict == .failed ? "<failure " : "<error "
      #expect(try folder.text("j.xml").contains(element))
      for mode in [[], ["--keep-going"]] {
        let replay = try await VMHostRun.output(
          ["replay", "a.vmt"] + mode + options, workingDirectory: folder.path)
        #expect(replay.status == output.status, "\(replay.stderr)")
      }
      try await expectUpdate(each, options, in: folder)
    }
  }

  private func expectUpdate(
    _ each: Case, _ options: [String], in folder: TestFolder
  ) async throws {
    let update = try await folder.test(["a.vmt", "--update"] + options)
    let text = try folder.text("a.vmt")
    #expect((text == ShopPlugin.transcript) == (each.update == .isUnchanged), "\(text)")
    let again = try await folder.test(["a.vmt"] + options)
    let status = each.update == .passes ? 0 : each.verdict.outcome.status
    #expect(update.status == .exited(status), "\(update.stdout)")
    #expect(again.status == .exited(status), "\(again.stdout)")
    // Whoever accepts twice gets the same.
    _ = try await folder.test(["a.vmt", "--update"] + options)
    #expect(try folder.text("a.vmt") == text)
    // Nothing that was recorded is lost, unless its request is gone.
    #expect(text.contains("# The best ones.\n"))
    let replies = text.split(separator: "\n").filter { $0.hasPrefix("! ") }.map { $0.dropFirst(3) }
    let isGone = ["REQUEST_LESS"].contains(each.change)
    #expect(replies.contains(" [\"green\",\"black\"]") != isGone, "\(text)")
    #expect(replies.contains(" {\"price\":3}"), "\(text)")
  }

  @Test func `without a change everything passes`() async throws {
    let files = [
      "a.vmt": ShopPlugin.transcript, "flow.vmt": ShopPlugin.flowTranscript,
      "shop.json": ShopPlugin.flow,
    ]
    try await TestFolder.with(files) { folder in
      try await ShopPlugin.compile("", into: folder.path)
      #expect(try await folder.test(["."]).stdout == "2 passed in TIME\n")
    }
  }

  @Test func `a request that comes later takes its reply along`() async throws {
    try await TestFolder.with(["a.vmt": ShopPlugin.transcript]) { folder in
      try await ShopPlugin.compile("REQUEST_LATER", into: folder.path)
      _ = try await folder.test(["a.vmt", "--update"])
      #expect(
        try folder.text("a.vmt") == """
          vmt 1
          @plugin shop.so
          @open shop
          < items []
          < total 0
          > search "tea"
          # The best ones.
          > select "green"
          ? 1 http {"url":"/search?q=tea"}
          < opened "green"
          ? 2 http {"url":"/item/green"}
          ! 1 ["green","black"]
          < items ["green","black"]
          < total 2
          ! 2 {"price":3}
          < opened {"price":3}
          + 2s
          > clear
          < items []
          < total 0

          """)
    }
  }

  @Test(arguments: [
    ("REQUEST_LATER", ["the reply in line 9 moves after this step."]),
    ("REQUEST_LESS", ["the reply in line 9 is removed with its request."]),
    (
      "REQUEST_MORE",
      ["the reply in line 9 is now for request 2.", "nothing answers request 1 yet."]
    ),
  ])
  func `a change says what becomes of its replies`(
    _ change: String, _ notes: [String]
  ) async throws {
    try await TestFolder.with(["a.vmt": ShopPlugin.transcript]) { folder in
      try await ShopPlugin.compile(change, into: folder.path)
      let output = try await folder.test(["a.vmt", "--list-changes"])
      for note in notes { #expect(output.stdout.contains("\n* \(note)\n"), "\(output.stdout)") }
      #expect(output.status == .exited(1))
      #expect(try folder.text("a.vmt") == ShopPlugin.transcript)
    }
  }

  @Test func `a new request is asked about once, and the file fails until it is answered`()
    async throws
  {
    try await TestFolder.with(["a.vmt": ShopPlugin.transcript]) { folder in
      try await ShopPlugin.compile("REQUEST_MORE", into: folder.path)
      let output = try await folder.test(["a.vmt", "--update"])
      let words =
        "left over: request 1 of shop, \"track\", is still open at the end. Answer it with"
        + " \"! 1 …\".\n"
      #expect(output.stdout.hasPrefix("failed: a.vmt:6: \(words)"), "\(output.stdout)")
      let text = try folder.text("a.vmt")
      #expect(
        text.contains(
          """
          > search "tea"
          ? 1 track {"event":"search"}
          ? 2 http {"url":"/search?q=tea"}
          # Nothing answers request 1: write "! 1 …" where its reply comes.
          # The best ones.
          ! 2 ["green","black"]

          """), "\(text)")
      let comment = "# Nothing answers request 1: write \"! 1 …\" where its reply comes.\n"
      try folder.folder.write(text.replacing(comment, with: "! 1\n"), to: "a.vmt")
      #expect(try await folder.test(["a.vmt"]).status == .exited(0))
    }
  }

  @Test func `what a flow no longer opens is a difference, and its steps are skipped`()
    async throws
  {
    let files = ["a.vmt": ShopPlugin.flowTranscript, "shop.json": ShopPlugin.flow]
    try await TestFolder.with(files) { folder in
      try await ShopPlugin.compile("SIGNAL_GONE", into: folder.path)
      let output = try await folder.test(["a.vmt"])
      let words = "expected < shop.opened \"green\", but it was not emitted"
      #expect(output.stdout.contains("a.vmt:8: \(words)"), "\(output.stdout)")
      #expect(output.stdout.contains("\n2 steps could not be played and were skipped.\n"))
      #expect(output.status == .exited(1))
      let update = try await folder.test(["a.vmt", "--update"])
      #expect(update.stdout.contains("\nupdated: a.vmt, but it still fails.\n"))
      #expect(update.status == .exited(1))
      #expect(try await folder.test(["a.vmt"]).status == .exited(1))
      // The flow is right, and names what the plugin doesn't have any more.
      try await ShopPlugin.compile("VIEW_MODEL_RENAMED", into: folder.path)
      let misfit = try await folder.test(["a.vmt"])
      #expect(misfit.stdout.hasPrefix("failed: a.vmt:"), "\(misfit.stdout)")
      #expect(misfit.status == .exited(1))
    }
  }

  @Test func `what follows from a reply goes with it`() async throws {
    // The timer is answered by lines. Its reply leads to the search.
    let search = """
      > search "tea"
      ? 1 timer {"after":"300ms"}
      ! 1
      ? 2 http {"url":"/search?q=tea"}
      ! 2 ["green"]
      < items ["green"]
      < total 1
      > clear
      < items []
      < total 0

      """
    let head = "vmt 1\n@plugin shop.so\n@record timer\n@open shop\n< items []\n< total 0\n"
    try await TestFolder.with(["a.vmt": head + search]) { folder in
      try await ShopPlugin.compile("REQUEST_TIMED", into: folder.path)
      #expect(try await folder.test(["a.vmt"]).status == .exited(0))
      try await ShopPlugin.compile("REQUEST_LESS", into: folder.path)
      let output = try await folder.test(["a.vmt", "--update"])
      #expect(output.stdout.contains("\n* the reply in line 9 is removed with its request.\n"))
      #expect(output.stdout.contains("\n* the reply in line 11 is removed with its request.\n"))
      #expect(
        try folder.text("a.vmt")
          == head + "> search \"tea\"\n> clear\n< items []\n< total 0\n")
      #expect(try await folder.test(["a.vmt"]).status == .exited(0))
    }
  }

  @Test func `a link to a transcript is updated with it`() async throws {
    try await TestFolder.with(["a.vmt": ShopPlugin.transcript]) { folder in
      try await ShopPlugin.compile("OUTPUT_LESS", into: folder.path)
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("b.vmt"), withDestinationPath: "a.vmt")
      #expect(try await folder.test([".", "--update"]).summary == "2 updated in TIME")
      #expect(try await folder.test(["."]).summary == "2 passed in TIME")
    }
  }

  /// What no plugin could make right, though nothing differs before it.
  @Test(arguments: [
    Transcript.emit("17 1 http {}") + "? 1 http {}\n" + Transcript.emit("18 1 http")
      + "x 1\n! 1 5\n",
    "> goo {\"a\":1,\"a\":2}\n",
  ])
  func `an update keeps what is invalid`(_ lines: String) async throws {
    let text = Transcript.broken + lines
    try await TestFolder.with(["a.vmt": text]) { folder in
      for options in [[], ["--update"], ["--list-changes"]] {
        let output = try await folder.test(["a.vmt"] + options)
        #expect(output.stdout.hasPrefix("invalid: a.vmt:"), "\(output.stdout)")
        #expect(output.status == .exited(2))
      }
      #expect(try folder.text("a.vmt") == text)
      for format in ["text", "jsonl"] {
        let replay = try await VMHostRun.output(
          ["replay", "a.vmt", "--keep-going", "--format", format], workingDirectory: folder.path)
        #expect(replay.status == .exited(2), "\(replay.stderr)")
      }
    }
  }

  /// What no plugin could make right, after a difference.
  @Test(arguments: [
    ("! 7 null", "shop has no open request 7: it has made 2 so far. None is open."),
    ("! 1 null", "shop has no open request 1: that request is already answered."),
    ("> cart.search \"x\"", "there is no instance \"cart\"."),
    ("@close cart", "there is no instance \"cart\"."),
    ("@open shop", "the handle \"shop\" is taken."),
    ("@open item [1]", "the config of item must be a JSON object."),
  ])
  func `a mistake of the file is invalid, and the earlier difference is told`(
    _ line: String, _ words: String
  ) async throws {
    try await TestFolder.with(["a.vmt": ShopPlugin.transcript + line + "\n"]) { folder in
      try await ShopPlugin.compile("OUTPUT_LESS", into: folder.path)
      let output = try await folder.test(["a.vmt", "--update"])
      #expect(output.stdout.hasPrefix("invalid: a.vmt:21: "), "\(output.stdout)")
      #expect(output.stdout.contains(words.dropLast()), "\(output.stdout)")
      #expect(output.stdout.contains("\nBefore that, a.vmt:11: expected < total 2"))
      #expect(output.status == .exited(2))
      #expect(try folder.text("a.vmt") == ShopPlugin.transcript + line + "\n")
      let replay = try await VMHostRun.output(["replay", "a.vmt"], workingDirectory: folder.path)
      #expect(replay.status == .exited(2), "\(replay.stderr)")
    }
  }
}

import Foundation
import TestSupport
import Testing

/// Sessions of several plugins, instances, times and stored values, as transcripts.
struct ReplaySessionTests {
  /// A transcript that passes, and a change of it that must not.
  @Test(
    arguments: [
      (
        """
        vmt 1
        @plugin kitfixture.so
        @open kit.effects as a
        @open kit.effects as b
        @plugin echo.so
        @open echo
        > b.ping
        ? b.1 ping
        > a.ping
        ? a.1 ping
        > echo.say 1
        < echo.said 1
        ! b.1
        < b.result "pong"
        @close b
        ! a.1
        < a.result "pong"
        @close a
        > say 2
        < said 2

        """,
        "< b.result", "< a.result", "14: expected < a.result \"pong\", found < b.result \"pong\""
      ),
      (
        // What is open ends with its instance, in a line of the closing.
        """
        vmt 1
        @plugin kitfixture.so
        @open kit.effects as a
        @open kit.effects as b
        > b.ping
        ? b.1 ping
        @close b
        x b.1
        @open kit.effects as b
        > b.ping
        ? b.2 ping
        @close b
        x b.2

        """,
        "@close b\nx b.1\n@open", "@close b\n@open",
        "7: found x b.1: the plugin cancelled a request unexpectedly"
      ),
      (
        Transcript.effects + "> ping\n? 1 ping\n@close list\nx 1\n", "x 1", "x list.1",
        nil
      ),
      (
        // An instance that is closed has nothing to cancel.
        Transcript.effects + "@open kit.effects as b\n@close b\n> ping\n? 1 ping\n! 1\n"
          + "< result \"pong\"\n",
        "@close b\n", "@close b\nx b.1\n",
        "6: expected x b.1, but the plugin didn't cancel that request"
      ),
      (
        // Time within a step, at its end, and until nothing is left.
        Transcript.works + """
          > group
          + 2500ms
          < @1s ended "1"
          < @2s ended "2"
          + 500ms
          < ended "3"
          > debounced "a"
          + idle
          < @300ms busy true
          < @300ms began "a"
          < ended "a"
          < busy false
          + idle
          + 1h

          """,
        "< @2s ended", "< @2001ms ended",
        "8: expected < @2001ms ended, found < @2s ended with the same value"
      ),
      (
        Transcript.works
          + "> group\n+ 2s\n< @1s ended \"1\"\n< ended \"2\"\n+ idle\n< ended \"3\"\n",
        "< ended \"2\"", "< @2s ended \"2\"",
        "8: expected < @2s ended, found < ended with the same value"
      ),
      (
        // Stored values before all steps, and before the step that they stand under.
        """
        vmt 1
        @plugin kitfixture.so
        @storage "with blanks" {"b":1,"a":[]}
        @storage recents "é"
        @open kit.effects as e
        > storageGet "with blanks"
        < result "{\\"a\\":[],\\"b\\":1}"
        > storageGet "recents"
        < result "\\"é\\""
        > storageGet "recents"
        @storage recents null
        # It takes effect before the step, also after a comment.
        @storage more 1
        < result "nothing"
        > storageList ""
        < result "more,recents,with blanks"
        > storageDelete "more"
        < result "deleted"
        > storageSet {"key":"x","value":[1]}
        < result "set"
        > storageList ""
        < result "recents,with blanks,x"

        """,
        "@storage recents \"é\"", "@storage recents \"e\"",
        "9: expected < result \"\\\"é\\\"\", found < result \"\\\"e\\\"\""
      ),
      (
        // Each plugin has a storage of its own: the value belongs to the one that was named last.
        """
        vmt 1
        @plugin kitfixture.so
        @plugin echo.so
        @storage a 1
        @open kit.effects as e
        > storageGet "a"
        < result "nothing"
        > storageGet "a"
        @plugin kitfixture.so
        @storage a 2
        < result "2"

        """,
        "@plugin kitfixture.so\n@storage a 2", "@storage a 2",
        "10: expected < result \"2\", found < result \"nothing\""
      ),
      (
        // Chance, time and place.
        """
        vmt 1
        @seed 7
        @time 2026-01-31T12:00:00Z
        @locale de_AT
        @timezone Europe/Vienna
        @plugin kitfixture.so
        @open kit.random as r {"sides":3}
        < sides 3
        > roll 8
        < rolled [3,2,2,2,2,1,3,3]
        + 90s
        > where
        < place {"epoch":1769860800000000000,"locale":"de_AT","now":90000,\
        "timeZone":"Europe/Vienna"}

        """,
        "@timezone Europe/Vienna", "@timezone UTC",
        "13: expected < place.timeZone"
          + " \"Europe/Vienna\", found \"UTC\""
      ),
      (
        // Timers as requests.
        """
        vmt 1
        @record timer
        @plugin kitfixture.so
        @open kit.works as works
        < busy false
        > queued "a"
        < busy true
        < began "a"
        ? 1 timer {"after":"1s"}
        + 1h
        ! 1
        < ended "a"
        < busy false

        """,
        "@record timer", "@simulate timer",
        "9: the plugin made one request fewer: expected ? 1 timer {\"after\":\"1s\"}"
      ),
    ] as [(String, String, String, String?)])
  func `plays what it says, and finds one change`(
    _ text: String, part: String, other: String, words: String?
  ) async throws {
    try await Transcript.expectPass(text)
    let changed = text.replacing(part, with: other)
    try #require(changed != text)
    guard let words else { return try await Transcript.expectPass(changed) }
    let output = try await Transcript.replay(changed)
    #expect(output.stderr.split(separator: "\n").first == "vmhost: a.vmt:\(words)")
    #expect(output.status == .exited(1))
  }

  @Test func `another seed is another game`() async throws {
    let text = "@plugin kitfixture.so\n@open kit.random as r\n> roll 20\n"
    let outputs = try await [
      Transcript.replay("@seed 1\n\(text)"), Transcript.replay("@seed 2\n\(text)"),
      Transcript.replay("@seed 1\n\(text)"),
    ]
    #expect(outputs[0].stdout == outputs[2].stdout)
    #expect(outputs[0].stdout != outputs[1].stdout)
  }

  /// More than is delivered together, with a difference in the midst.
  @Test(arguments: [1, 1023, 1024, 1025, 2999])
  func `finds a difference among many inputs`(_ place: Int) async throws {
    var lines = (1...3000).map { "> say \($0)\n< said \($0)\n" }
    lines[place - 1] = "> say \(place)\n< said 0\n"
    let output = try await Transcript.replay(Transcript.echo + lines.joined())
    #expect(
      output.stderr.hasPrefix(
        "vmhost: a.vmt:\(3 + 2 * place): expected < said 0, found < said \(place)\n"))
    // What came before is shown, and nothing after it.
    #expect(output.lines.count { $0.hasPrefix("< ") } == place)
    let all = try await Transcript.replay(
      Transcript.echo + lines.joined(), ["--format", "text", "--keep-going"])
    #expect(all.lines.count { $0.hasPrefix("< ") } == 3000)
    #expect(all.status == .exited(1))
  }

  @Test func `two plugins whose inputs take turns keep their order`() async throws {
    let head = "vmt 1\n@plugin echo.so\n@plugin brokenfixture.so\n@open echo\n@open broken as b\n"
    let steps = (0..<50).map { number in
      "> echo.say \(number)\n" + Transcript.emit("16 0 rang").replacing("> ", with: "> b.")
    }
    let output = try await Transcript.replay(head + steps.joined())
    let found = output.lines.filter { $0.hasPrefix("< echo") || $0 == "< b.rang" }
    let isInOrder = found == (0..<50).flatMap { ["< echo.said \($0)", "< b.rang"] }
    #expect(isInOrder, "\(output.stdout)")
  }
}

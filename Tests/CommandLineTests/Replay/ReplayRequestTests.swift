import TestSupport
import Testing

/// Transcripts whose requests aren't those that the plugin makes, or whose answers have none.
struct ReplayRequestTests {
  @Test(
    arguments: [
      (
        // One more, and what of the transcript is nearest to it.
        Transcript.emit(#"17 1 http {"url":"a"}"#, #"17 2 http {"url":"b"}"#)
          + "? 1 http {\"url\":\"a\"}\n",
        #"""
        7: the plugin made one more request: found ? 2 http {"url":"b"}; the nearest, 1 http in \#
        line 7, differs in url: "a" instead of "b"
        \#(Transcript.legend)
          ? 1 http {"url":"a"}
        + ? 2 http {"url":"b"}
        """#
      ),
      (
        // The nearest comes later.
        Transcript.emit(#"17 1 http {"method":"GET","url":"a"}"#)
          + Transcript.emit(#"17 2 http {"method":"GET","url":"b"}"#)
          + "? 2 http {\n    \"method\": \"GET\",\n    \"url\": \"b\"\n  }\n",
        #"""
        6: the plugin made one more request: found ? 1 http {"method":"GET","url":"a"}; the \#
        nearest, 2 http in line 8, differs in url: "b" instead of "a"
        \#(Transcript.legend)
        + ? 1 http {"method":"GET","url":"a"}
        """#
      ),
      (
        // It was made before, and is made again.
        Transcript.emit(#"17 1 http {"url":"a"}"#) + "? 1 http {\"url\":\"a\"}\n"
          + Transcript.emit(#"17 2 http {"url":"a"}"#),
        #"""
        8: the plugin made one more request: found ? 2 http {"url":"a"}, which is the same as 1 \#
        http in line 7
        \#(Transcript.legend)
        + ? 2 http {"url":"a"}
        """#
      ),
      (
        // Nothing is like it.
        Transcript.emit("17 1 printer 1") + "? 1 printer 1\n" + Transcript.emit("17 2 http {}"),
        """
        8: the plugin made one more request: found ? 2 http {}
        \(Transcript.legend)
        + ? 2 http {}
        """
      ),
      (
        // One less.
        Transcript.emit(#"17 1 http {"url":"a"}"#)
          + "? 1 http {\"url\":\"a\"}\n? 2 http {\"url\":\"b\"}\n",
        #"""
        8: the plugin made one request fewer: expected ? 2 http {"url":"b"}
        \#(Transcript.legend)
          ? 1 http {"url":"a"}
        - ? 2 http {"url":"b"}
        """#
      ),
      (
        // Another one.
        Transcript.emit(#"17 1 http {"url":"a"}"#) + "? 1 http {\"url\":\"b\"}\n",
        #"""
        7: request 1 http is another one: expected {"url":"b"}, found {"url":"a"}
        \#(Transcript.legend)
        - ? 1 http {"url":"b"}
        + ? 1 http {"url":"a"}
        """#
      ),
      (
        // To another effect.
        Transcript.emit("17 1 http {}") + "? 1 printer {}\n",
        """
        7: the plugin made a request to another effect: expected ? 1 printer, found ? 1 http
        \(Transcript.legend)
        - ? 1 printer {}
        + ? 1 http {}
        """
      ),
      (
        // One that is cancelled.
        Transcript.emit("17 1 http {}") + "? 1 http {}\n" + Transcript.emit("18 1"),
        """
        8: found x 1: the plugin cancelled a request unexpectedly
        \(Transcript.legend)
        + x 1
        """
      ),
      (
        // One that is not.
        Transcript.emit("17 1 http {}") + "? 1 http {}\n> go\n< rang\nx 1\n",
        """
        10: expected x 1, but the plugin didn't cancel that request
        \(Transcript.legend)
          < rang
        - x 1
        """
      ),
      (
        // One that nobody answers: where the request stands, not the step.
        Transcript.emit("16 0 rang", "17 1 http {}") + "< rang\n# on its way\n? 1 http {\n  }\n",
        """
        9: left over: request 1 of broken, "http", is still open at the end. Answer it with \
        "! 1 …".
        """
      ),
    ])
  func `tells a request too many, one too few, another one and one left open apart`(
    _ lines: String, words: String
  ) async throws {
    // The fixture's `go` rings where it has a fault that nothing comes of.
    let rings = lines.replacing("> go\n", with: Transcript.emit("16 0 rang"))
    try await Transcript.expectComplaint(of: Transcript.broken + rings, words, status: 1)
  }

  @Test func `names each request that is left open, of each instance`() async throws {
    let text =
      Transcript.effects + """
        > ping
        ? 1 ping
        @open kit.effects as b
        > b.ping
        ? b.1 ping

        """
    try await Transcript.expectComplaint(
      of: text,
      """
      5: left over: request 1 of list, "ping", is still open at the end. Answer it with \
      "! list.1 …".
      vmhost: a.vmt:8: left over: request 1 of b, "ping", is still open at the end. Answer it with \
      "! b.1 …".
      """, status: 1)
  }

  /// A thousand requests before it and behind it are not too many to look through.
  @Test func `finds the nearest request in a long transcript`() async throws {
    let step = { (id: Int, url: String) in
      Transcript.emit("17 \(id) http {\"method\":\"GET\",\"url\":\"\(url)\"}")
        + "? \(id) http {\"method\":\"GET\",\"url\":\"\(url)\"}\n"
    }
    var lines = ""
    for id in 1...1200 { lines += step(id, "before/\(id)") }
    lines += Transcript.emit("17 5000 http {\"method\":\"GET\",\"url\":\"behind/1250\"}")
    for id in 1201...2400 { lines += step(id, "behind/\(id)") }
    let output = try await Transcript.replay(Transcript.broken + lines)
    // The two lines of the 50th request behind it.
    let line = 5 + 2 * 1200 + 1 + 2 * 50
    #expect(
      output.stderr.hasPrefix(
        """
        vmhost: a.vmt:2406: the plugin made one more request: found ? 1201 http \
        {"method":"GET","url":"behind/1250"}, which is the same as 1250 http in line \(line)

        """))
    #expect(output.status == .exited(1))
  }

  // MARK: Answers

  @Test(
    arguments: [
      ("! 1\n", "6:3: broken has no open request 1: it has made none.", "! 1"),
      (
        Transcript.emit("17 1 http {}") + "? 1 http {}\n! 3\n",
        "8:3: broken has no open request 3: it has made 1 so far. Open: 1 http.", "! 3"
      ),
      (
        Transcript.emit("17 1 http {}", "17 2 http {}", "17 3 printer")
          + "? 1 http {}\n? 2 http {}\n? 3 printer\n! 2 error {\"code\":\"offline\"}\n"
          + "< heard {\"effect\":\"http\",\"id\":2,\"kind\":3,\"time\":0,"
          + "\"value\":{\"code\":\"offline\",\"message\":\"\"}}\n! 2 {\n    \"status\": 200\n  }\n",
        "12:3: broken has no open request 2: that request is already answered."
          + " Open: 1 http, 3 printer.", "! 2 {"
      ),
      (
        Transcript.emit("17 1 http {}") + "? 1 http {}\n" + Transcript.emit("18 1")
          + "x 1\n!   1 1\n",
        "10:5: broken has no open request 1: it cancelled that request. None is open.", "!   1 1"
      ),
      (
        (1...7).map { Transcript.emit("17 \($0) http \($0)") + "? \($0) http \($0)\n" }.joined()
          + "! 9\n",
        "20:3: broken has no open request 9: it has made 7 so far. Open: 1 http, 2 http, 3 http,"
          + " 4 http, 5 http and 2 more.", "! 9"
      ),
      (
        Transcript.emit("17 1 http {}") + "? 1 http {}\n"
          + "{\"kind\":\"reply\",\"id\":2}\n",
        "8:22: broken has no open request 2: it has made 1 so far. Open: 1 http.",
        "{\"kind\":\"reply\",\"id\":2}"
      ),
    ])
  func `says why an answer has no request, and which are open`(
    _ lines: String, words: String, line: String
  ) async throws {
    let (number, column) = try #require(Place.of(words))
    let margin = String(repeating: " ", count: "\(number)".count)
    try await Transcript.expectComplaint(
      of: Transcript.broken + lines,
      """
      \(words)
        \(number) | \(line)
        \(margin) | \(String(repeating: " ", count: column - 1))^
      """, status: 2)
  }

  @Test func `names the open requests of all instances`() async throws {
    let text =
      Transcript.effects + """
        > ping
        ? 1 ping
        @open kit.effects as b
        > b.get "u"
        ? b.1 http {"method":"GET","url":"u"}
        ! b.2

        """
    try await Transcript.expectComplaint(
      of: text,
      """
      9:5: b has no open request 2: it has made 1 so far. Open: list.1 ping, b.1 http.
        9 | ! b.2
          |     ^
      """, status: 2)
  }
}

/// The place that words begin with, as in `12:3: no such thing`.
enum Place {
  static func of(_ words: String) -> (line: Int, column: Int)? {
    let parts = words.split(separator: ":", maxSplits: 2).prefix(2).compactMap { Int($0) }
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }
}

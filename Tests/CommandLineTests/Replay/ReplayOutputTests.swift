import Foundation
import TestSupport
import Testing

/// Transcripts whose outputs aren't those that the plugin emits.
struct ReplayOutputTests {
  private static let said = Transcript.emit("16 0 said 1", "16 0 said 2")

  @Test(
    arguments: [
      (
        Transcript.emit("16 0 said 1", "16 0 rang", "16 0 said 2") + "< said 1\n< said 2\n",
        """
        7: found < rang, which no line expects
        \(Transcript.legend)
          < said 1
        + < rang
          < said 2
        """
      ),
      (
        said + "< said 1\n< rang\n< said 2\n",
        """
        8: expected < rang, but it was not emitted
        \(Transcript.legend)
          < said 1
        - < rang
          < said 2
        """
      ),
      (
        Transcript.emit("16 0 said 1") + "< said 2\n",
        """
        7: expected < said 2, found < said 1
        \(Transcript.legend)
        - < said 2
        + < said 1
        """
      ),
      (
        Transcript.emit("16 0 said 1", "16 0 rang") + "< rang\n< said 1\n",
        """
        7: expected < rang here, found it later (and 1 more difference)
        \(Transcript.legend)
        - < rang
          < said 1
        + < rang
        """
      ),
      (
        // No line at all: it is shown after which.
        Transcript.emit("16 0 rang") + "# nothing comes of it\n",
        """
        6: found < rang, which no line expects
        \(Transcript.legend)
        + < rang
        """
      ),
      (
        Transcript.emit("16 0 rang") + "< rang 1\n",
        """
        7: expected < rang 1, found < rang without a value
        \(Transcript.legend)
        - < rang 1
        + < rang
        """
      ),
      (
        Transcript.emit("16 0 said \"hé😀é\"") + "< said \"hé😀e\"\n",
        """
        7: expected < said "hé😀e", found < said "hé😀é"
        \(Transcript.legend)
        - < said "hé😀e"
        + < said "hé😀é"
        """
      ),
    ])
  func `tells outputs too many, too few, others and misordered ones apart`(
    _ lines: String, words: String
  ) async throws {
    try await Transcript.expectComplaint(of: Transcript.broken + lines, words, status: 1)
  }

  @Test func `takes a value in whatever way it is written`() async throws {
    try await Transcript.expectPass(
      Transcript.echo + """
        > say {"b":1,"a":"é"}
        < said { "a" : "\\u00e9",
          "b":1.0 }
        > say [1,2]
        <   said   [
            1,
            2
          ]

        """)
  }

  // MARK: Lines of long values

  private static let text = String(repeating: "long ", count: 10)

  /// Line 5 is the value's first, and each film has five.
  private static func films(_ change: (String) -> String) -> String {
    let films = ["A", "B", "C"].map { title in
      """
            {
              "text": "\(text)",
              "title": "\(title)",
              "year": 1900
            }
      """
    }
    let value = "{\n    \"items\": [\n\(films.joined(separator: ",\n"))\n    ],\n    \"n\": 3\n  }"
    let said = ["A", "B", "C"].map {
      "{\"title\":\"\($0)\",\"year\":1900,\"text\":\"\(text)\"}"
    }.joined(separator: ",")
    return Transcript.echo + "> say {\"items\":[\(said)],\"n\":3}\n< said \(change(value))\n"
  }

  @Test(
    arguments: [
      (
        "\"title\": \"B\"", "\"title\": \"X\"",
        "14: expected < said.items[1].title \"X\", found \"B\""
      ),
      ("\"n\": 3", "\"n\": 4", "23: expected < said.n 4, found 3"),
      (
        "\"title\": \"C\",", "\"titel\": \"C\",",
        "19: expected < said.items[2] with member \"titel\", found it without"
      ),
      (
        "\"year\": 1900\n      }\n    ]", "\"year\": 1900,\n        \"z\": 1\n      }\n    ]",
        "21: expected < said.items[2] with member \"z\", found it without"
      ),
      (
        ",\n    \"n\": 3", "", "23: expected < said without member \"n\", found it with"
      ),
      (
        "\n    ],", ",\n      {}\n    ],",
        "22: expected < said.items with more than 3 elements, found 3"
      ),
      (
        "\"items\": [", "\"itemz\": [", "6: expected < said without member \"items\", found it with"
      ),
    ])
  func `names the line of the part of a long value that differs`(
    _ part: String, other: String, words: String
  ) async throws {
    let text = Self.films { value in
      var changed = value
      // The last one, so that a part that each film has is the last film's.
      if let range = value.range(of: part, options: .backwards) {
        changed.replaceSubrange(range, with: other)
      }
      return changed
    }
    let output = try await Transcript.replay(text)
    #expect(output.stderr.split(separator: "\n").first == "vmhost: a.vmt:\(words)")
    #expect(output.status == .exited(1))
  }

  @Test func `finds the part in a value whose members are in another order`() async throws {
    let text =
      Transcript.echo + """
        > say {"a":{"x":[1,2],"y":"\(String(repeating: "-", count: 60))"},"b":2}
        < said { "b"
          : 2,
          "\\u0061": {
            "y" : "\(String(repeating: "-", count: 60))", "x": [
              1,
              3
            ]
          }
          }

        """
    let output = try await Transcript.replay(text)
    #expect(
      output.stderr.hasPrefix("vmhost: a.vmt:10: expected < said.a.x[1] 3, found 2\n"),
      "\(output.stderr)")
  }

  @Test func `shows the lines of a step as one in its diff's head`() async throws {
    let text =
      Transcript.echo + """
        > say {
            "city": "Graz",
            "houses": [
              1,
              2
            ]
          }
        < said 1

        """
    let output = try await Transcript.run("test", text)
    #expect(
      output.lines.prefix(2) == [
        "failed: a.vmt:11: expected < said 1, found < said"
          + " {\"city\":\"Graz\",\"houses\":[1,2]}",
        "the step at a.vmt:4: > say {\"city\": \"Graz\",\"houses\": [1,2]}",
      ], "\(output.stdout)")
  }

  // MARK: Huge values

  /// 10 MB in one string, and 10 MB in lines.
  @Test(arguments: [true, false])
  func `compares values of ten megabytes`(_ isPretty: Bool) async throws {
    let part = String(repeating: "é😀ü-", count: 1000)
    let parts = (0..<1000).map { "\"\($0) \(part)\"" }
    let value = isPretty ? "[\(parts.joined(separator: ","))]" : "\"\(parts.count)\(part)\""
    let long = isPretty ? value : "\"" + String(repeating: part, count: 1000) + "\""
    let written =
      isPretty ? "[\n    \(parts.joined(separator: ",\n    "))\n  ]" : long
    try await Transcript.expectPass(
      Transcript.echo + "> say \(long)\n< said \(written)\n> say 2\n< said 2\n")
    // The last character but the quote and the bracket is another one.
    let tail = isPretty ? "-\"\n  ]" : "-\""
    let other = written.dropLast(tail.count) + tail.replacing("-", with: "!")
    let output = try await Transcript.replay(
      Transcript.echo + "> say \(long)\n< said \(other)\n> say 2\n< said 2\n", [])
    #expect(output.status == .exited(1))
    let line = isPretty ? 5 + 1000 : 5
    let place = isPretty ? "said[999]" : "said"
    let words = output.stderr.split(separator: "\n").first ?? ""
    let isPlaced = words.hasPrefix("vmhost: a.vmt:\(line): expected < \(place) ")
    #expect(isPlaced, "\(words.prefix(300))")
    #expect(output.stderr.utf8.count < 5_000)
  }

  /// Such a comparison once took minutes, and a gigabyte.
  @Test func `shows values of more lines than can be compared as they are`() async throws {
    let value = "[" + String(repeating: "0,", count: 600_000) + "0]"
    let output = try await Transcript.replay(
      Transcript.echo + "> say \(value)\n< said [1]\n", [])
    #expect(output.status == .exited(1))
    #expect(output.stderr.contains("said"))
    #expect(!output.stderr.contains("more line"), "\(output.stderr.suffix(300))")
    #expect(output.stderr.utf8.count < 2_000)
  }
}

import TestSupport
import Testing

/// Lines that come through a pipe, one by one, to the echo plugin.
struct LineTests {
  @Test(
    arguments: [
      ("", ""),
      ("\n \n\t\n# a comment\n> say 1\n", "< said 1\n"),
      ("> say 1", "< said 1\n"),
      ("> say 1\r\n> say 2\r\n", "< said 1\n< said 2\n"),
      ("vmt 1\r\n\r\n# a comment\r\n+ 1s\r\n+ idle\r\n> say 1\r\n", "< said 1\n"),
      (">   say    1   \n", "< said 1\n"),
      ("> echo.say 1\n", "< said 1\n"),
      ("vmt 1\n> say 1\n", "< said 1\n"),
      ("> say 1\n< said 2\n? 1 http {}\nx 1\n> say 3\n", "< said 1\n< said 3\n"),
      ("< said {\n    \"a\": 1\n  }\n> say 3\n", "< said 3\n"),
      (
        "> say [1,\n  2]\n> say {\"a\":\r\n  [\"]\",\n  1]\n  }\n",
        "< said [1,2]\n< said {\"a\":[\"]\",1]}\n"
      ),
      ("> say 1.50\n> say -0\n> say \"\\u0041\\/\"\n", "< said 1.5\n< said 0\n< said \"A/\"\n"),
      ("> say 123456789012345678901234567890\n", "< said 123456789012345678901234567890\n"),
      ("> say null\n> say {}\n> say \"\"\n", "< said null\n< said {}\n< said \"\"\n"),
      ("{\"name\":\"say\",\"value\":1}\n> say 2\n", "< said 1\n< said 2\n"),
      ("{ \"value\" : { } , \"kind\" : \"input\" , \"name\" : \"say\" }\n", "< said {}\n"),
      ("{\"name\":\"s\\u0061y\",\"instance\":\"\\u0065cho\",\"value\":[1, 2]}\n", "< said [1,2]\n"),
      ("{\"kind\":\"advance\",\"by\":\"5s\"}\n> say 1\n", "< said 1\n"),
    ])
  func `understands`(_ input: String, stdout: String) async throws {
    try await VMHostRun.expect(Arguments.echo, .text(input), stdout: stdout)
  }

  @Test func `inputs that take turns keep their names`() async throws {
    // A line is known from the second time on, and taken without a look at its name from the third.
    let inputs = ["a", "b", "c", "d@e.ff", "g"].flatMap {
      [("emailChanged", $0), ("passwordChanged", "12345678")]
    }
    try await VMHostRun.expect(
      ["run", "account.so", "--view-model", "account.login-form"] + Arguments.text,
      .text(inputs.map { "{\"name\":\"\($0)\",\"value\":\"\($1)\"}\n" }.joined()),
      stdout: """
        < isFormValid false
        < isFormValid false
        < isFormValid false
        < isFormValid false
        < isFormValid false
        < isFormValid true
        < isFormValid true
        < isFormValid false
        < isFormValid false

        """)
  }

  @Test(
    arguments: [
      ("> sya 1", "3: echo has no input \"sya\". Did you mean \"say\"?", 3),
      ("> ehco.say 1", "3: there is no instance \"ehco\". Did you mean \"echo\"?", 3),
      ("> echo.", "8: expected the name of an input.", 8),
      (">", "2: expected an input, as in \"> didSearch \\\"batman\\\"\".", 2),
      (
        ">say 1",
        "2: expected a space between \">\" and what follows. Did you mean \"> say\"?", 2
      ),
      (
        "> say nul",
        "10: the value is not JSON: expected \"null\", found the end of the input. Text is written"
          + " in double quotes.", 10
      ),
      ("> say 1 2", "9: the value is not JSON: expected the end of the line.", 9),
      (
        "> say {\"a\":1,\"a\":2}",
        "14: the value is not JSON: expected each key once, found \"a\" again.", 14
      ),
      ("> say [1,", "10: the value is not JSON: expected a value, found the end of the input.", 10),
      (
        "say 1",
        "1: no line begins with \"say\". An input is \"> say …\", a comment \"# …\", time "
          + "\"+ 300ms\", a directive \"@open …\".", 1
      ),
      (
        "  2]",
        "1: this line begins with a space, so it continues the line before, which is complete.", 1
      ),
      (
        "+ 5",
        "3: \"5\" is not a time such as 300ms, 5s or 2m, nor \"idle\". Did you mean \"5ms\"?", 3
      ),
      ("+ -5s", "3: \"-5s\" is not a time such as 300ms, 5s or 2m, nor \"idle\".", 3),
      ("! x 1", "3: \"x\" is not the id of a request: use a whole number from 1 on.", 3),
      (
        "! 1 error 5",
        "11: expected the error, as in {\"code\":\"offline\",\"message\":\"no route\"}.", 11
      ),
      (
        "vmt 2", "5: this file has format 2, this vmhost knows format 1. Use a newer vmhost.", 5
      ),
      ("vmt", "4: expected the version of the format, as in \"vmt 1\".", 4),
      (
        "{\"kind\":\"inptu\",\"name\":\"say\"}",
        "10: there is no kind \"inptu\" of line. Did you mean \"input\"?", 10
      ),
      ("{\"nam\":\"say\"}", "3: no line has a member \"nam\". Did you mean \"name\"?", 3),
      ("{\"name\":\"say\",\"id\":1}", "20: a line of kind \"input\" has no \"id\".", 20),
      ("{\"kind\":\"reply\"}", "1: a line of kind \"reply\" needs \"id\".", 1),
      ("{\"name\":\"say\",\"name\":\"say\"}", "16: \"name\" appears twice.", 16),
      ("{\"name\":5}", "9: this line is not JSON: expected a string, found \"5\".", 9),
      ("{\"name\":\"say\"", "14: this line is not JSON: expected \"}\".", 14),
    ])
  func `points at what is wrong in`(_ line: String, message: String, column: Int) async throws {
    try await VMHostRun.expect(
      Arguments.echo, .text("> say 1\n\(line)\n> say 2\n"),
      stdout: "< said 1\n",
      stderr: """
        vmhost: <stdin>:2:\(message)
          2 | \(line)
            | \(String(repeating: " ", count: column - 1))^

        """,
      status: 2)
  }

  /// A line, the column of the mark under it, or nil for none, and the words.
  @Test(
    arguments: [
      ("!   ecko.1", 5, "there is no instance \"ecko\". Did you mean \"echo\"?"),
      (
        "{\"kind\":\"reply\",\"id\":1,\"instance\":\"ecko\"}", 36,
        "there is no instance \"ecko\". Did you mean \"echo\"?"
      ),
      (
        "{ \"value\":1, \"name\":\"s\\u0079a\" }", 22,
        "echo has no input \"sya\". Did you mean \"say\"?"
      ),
      ("{\"n\\u0061me\":\"sya\"}", nil, "echo has no input \"sya\". Did you mean \"say\"?"),
      ("{\"name\":\"s\\u0020a\"}", nil, "a name has neither spaces, dots nor control characters."),
      (
        "! 1 error   5", 13,
        "expected the error, as in {\"code\":\"offline\",\"message\":\"no route\"}."
      ),
      ("vmt   2", 7, "this file has format 2, this vmhost knows format 1. Use a newer vmhost."),
      ("> say \"größe\" x", 15, "the value is not JSON: expected the end of the line."),
    ] as [(String, Int?, String)])
  func `points at what is named, in either form and with more blanks`(
    _ line: String, column: Int?, words: String
  ) async throws {
    let mark = column.map { "    | \(String(repeating: " ", count: $0 - 1))^\n" } ?? ""
    try await VMHostRun.expect(
      Arguments.echo, .text("> say 1\n\(line)\n"), stdout: "< said 1\n",
      stderr: "vmhost: <stdin>:2:\(column.map { "\($0):" } ?? "") \(words)\n  2 | \(line)\n\(mark)",
      status: 2)
  }

  @Test(arguments: ["日本", "e\u{301}", "😀"])
  func `has no mark behind characters whose width a terminal decides`(_ text: String) async throws {
    let line = "> say \"\(text)\" x"
    try await VMHostRun.expect(
      Arguments.echo, .text("\(line)\n"),
      stderr: """
        vmhost: <stdin>:1:\(text.unicodeScalars.count + 10): the value is not JSON: expected the \
        end of the line.
          1 | \(line)

        """,
      status: 2)
  }

  @Test func `tells which instance could be meant`() async throws {
    try await VMHostRun.expect(
      ["run", "echo.so", "--view-model", "echo=a", "--view-model", "echo=b"] + Arguments.text,
      .text("> say 1\n"),
      stderr: """
        vmhost: <stdin>:1:3: several instances are open: a, b. Write the handle before the name, \
        as in a.name.
          1 | > say 1
            |   ^

        """,
      status: 2)
  }

  @Test(
    arguments: [
      ("> say", "echo refused \"say\": the input say needs a value"),
      ("@open ehco", "there is no view model \"ehco\". Did you mean \"echo\"?"),
      (
        "@open echo",
        "the handle \"echo\" is taken. Open the second one under another handle, such as \"echo2\"."
      ),
      (
        "@open echo as 1st",
        "\"1st\" can't be a handle: use letters, digits, _ and -, beginning with a letter or _."
      ),
      ("@close ehco", "there is no instance \"ehco\". Did you mean \"echo\"?"),
      ("! 1 {}", "echo has no open request 1: it has made none."),
      ("! 7 error {\"code\":\"offline\"}", "echo has no open request 7: it has made none."),
      ("{\"kind\":\"reply\",\"id\":3}", "echo has no open request 3: it has made none."),
    ])
  func `names the line that could not be carried out`(
    _ line: String, message: String
  ) async throws {
    try await VMHostRun.expect(
      Arguments.echo, .text("> say 1\n\n\(line)\n> say 2\n"),
      stdout: "< said 1\n", stderr: "vmhost: <stdin>:3: \(message)\n", status: 2)
  }

  @Test func `refuses a NUL byte and bytes that are not UTF-8`() async throws {
    try await VMHostRun.expect(
      Arguments.echo, .bytes(Array("> say \"a\0b\"\n".utf8)),
      stderr: """
        vmhost: <stdin>:1:9: there is a NUL byte in this line.
          1 | > say "a?b"
            |         ^

        """,
      status: 2)
    try await VMHostRun.expect(
      Arguments.echo, .bytes(Array("> say \"".utf8) + [0xC3, 0x28] + Array("\"\n".utf8)),
      stderr: """
        vmhost: <stdin>:1:8: the value is not JSON: expected UTF-8, found byte 0xC3 that \
        begins no valid sequence.
          1 | > say "\u{FFFD}("
            |        ^

        """,
      status: 2)
  }

  /// A value of 20 MB doesn't fit into the memory that vmhost shares with a plugin's process.
  @Test(arguments: zip(["text", "jsonl"], [10, 20]))
  func `carries lines of 10 and 20 MB`(_ format: String, _ megabytes: Int) async throws {
    let value = String(repeating: "0123456789", count: megabytes * 100_000)
    let arguments = ["run", "echo.so", "--format", format, "--clock", "virtual"]
    let output = try await VMHostRun.output(arguments, .text("> say \"\(value)\"\n> say 1\n"))
    let lines =
      format == "text"
      ? ["< said \"\(value)\"", "< said 1"]
      : output.lines.prefix(1) + [
        "{\"kind\":\"output\",\"t\":0,\"instance\":\"echo\",\"name\":\"said\","
          + "\"value\":\"\(value)\"}",
        "{\"kind\":\"output\",\"t\":0,\"instance\":\"echo\",\"name\":\"said\",\"value\":1}",
        "{\"kind\":\"end\",\"t\":0,\"status\":0}",
      ]
    // A comparison by the macro would print both sides.
    let isSame = output.lines == Array(lines)
    #expect(isSame)
    #expect(output.stderr == "")
    #expect(output.status == .success)
  }

  @Test func `shows the beginning of a long line that is wrong`() async throws {
    let output = try await VMHostRun.output(
      Arguments.echo, .text("> say " + String(repeating: "[", count: 10_000_000) + "\n"))
    #expect(output.stdout == "")
    #expect(output.stderr.hasPrefix("vmhost: <stdin>:1:"))
    #expect(output.stderr.utf8.count < 500)
    #expect(output.status == .exited(2))
  }

  @Test func `ends JSON Lines with what went wrong`() async throws {
    try await VMHostRun.expect(
      ["run", "echo.so"] + Arguments.jsonl, .text("> say 1\n> sya 2\n"),
      stdout: try FirstFrame.session + """
        [\(VMHostRun.plugin("echo"))]}
        {"kind":"output","t":0,"instance":"echo","name":"said","value":1}
        {"kind":"end","t":0,"status":2,"message":"<stdin>:2:3: echo has no input \\"sya\\". \
        Did you mean \\"say\\"?\\n  2 | > sya 2\\n    |   ^"}

        """,
      stderr: """
        vmhost: <stdin>:2:3: echo has no input "sya". Did you mean "say"?
          2 | > sya 2
            |   ^

        """,
      status: 2)
  }
}

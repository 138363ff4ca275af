import HostCore
import Testing

/// What is said of a line that can't be understood.
struct ScriptLineErrorTests {
  private static let unknown = """
    . An input is "> %@ …", a comment "# …", time "+ 300ms", a directive "@open …".
    """

  private static let complete =
    "this line begins with a space, so it continues the line before, which is complete."
  private static let tabFirst =
    "this line begins with a tab. A value continues in lines that begin with two spaces; no"
    + " other line begins with a space or a tab."
  private static let tab =
    "there is a tab here. Separate words with spaces; a tab is only allowed inside a JSON value."
  private static let tag =
    "\"%@\" is not a tag: a tag has only letters, digits, hyphens and underscores."
  private static let carriageReturn =
    "there is a carriage return within this line. Lines end with LF or CR LF."
  private static let mergeMarker =
    "this is a merge conflict marker. Resolve the conflict, and remove the markers."

  private static let tooLong =
    "\"9999999h\" is too long: the longest time is 2562047h (292 years)."

  private static let errors: [(String, Int, String)] = [
    (
      "didSearch \"a\"", 0,
      "no line begins with \"didSearch\"" + unknown.replacing("%@", with: "didSearch")
    ),
    ("xyz", 0, "no line begins with \"xyz\"" + unknown.replacing("%@", with: "xyz")),
    (
      " > say", 0,
      "this line begins with a space, so it continues the line before, which is complete."
    ),
    (">", 1, "expected an input, as in \"> didSearch \\\"batman\\\"\"."),
    (">   ", 4, "expected an input, as in \"> didSearch \\\"batman\\\"\"."),
    (">say", 1, "expected a space between \">\" and what follows. Did you mean \"> say\"?"),
    ("> list.", 7, "expected the name of an input."),
    ("> say {\"a\":}", 11, "the value is not JSON: expected a value, found \"}\"."),
    ("> say 1 2", 8, "the value is not JSON: expected the end of the line."),
    ("> say [1", 8, "the value is not JSON: expected \",\" or \"]\", found the end of the input."),
    ("> say\0", 5, "there is a NUL byte in this line."),
    ("+", 1, "expected a time such as 300ms, 5s or 2m, or \"idle\"."),
    ("+5s", 1, "expected a space between \"+\" and what follows. Did you mean \"+ 5s\"?"),
    ("+ soon", 2, "\"soon\" is not a time such as 300ms, 5s or 2m, nor \"idle\"."),
    ("+ 9999999h", 2, tooLong), ("< @9999999h items", 2, tooLong.replacing("\"9", with: "\"@9")),
    ("{\"kind\":\"advance\",\"by\":\"9999999h\"}", 23, tooLong),
    ("+ 0.1ns", 2, "\"0.1ns\" is too fine: a time consists of whole nanoseconds."),
    ("!", 1, "expected the id of a request, as in \"! 1 {\\\"status\\\":200}\"."),
    ("! one", 2, "\"one\" is not the id of a request: use a whole number from 1 on."),
    ("! 0 1", 2, "\"0\" is not the id of a request: use a whole number from 1 on."),
    ("! l. 1", 4, "\"\" is not the id of a request: use a whole number from 1 on."),
    ("! 1 {", 5, "the value is not JSON: expected a key in quotes, found the end of the input."),
    (
      "! 1 error \"offline\"", 10,
      "expected the error, as in {\"code\":\"offline\",\"message\":\"no route\"}."
    ),
    ("! 1 error", 9, "expected the error, as in {\"code\":\"offline\",\"message\":\"no route\"}."),
    ("vmt", 3, "expected the version of the format, as in \"vmt 1\"."),
    ("vmt one", 4, "expected the version of the format, as in \"vmt 1\"."),
    (
      "vmt 2", 4,
      "this file has format 2, this vmhost knows format 1. Use a newer vmhost."
    ),
    ("@opne x", 0, "there is no directive @opne. Did you mean \"@open\"?"),
    ("@", 0, "there is no directive @."),
    ("@plugin", 7, "@plugin: expected a plugin, as in @plugin movies.so."),
    ("@open", 5, "@open: expected a view model, as in @open movies.list."),
    ("@open a b", 8, "expected \"as HANDLE\", a config in braces, or nothing after a."),
    ("@open a as", 8, "expected \"as HANDLE\", a config in braces, or nothing after a."),
    (
      "@open a as b c", 13,
      "the value is not JSON: expected a value, found \"c\". Text is written in double quotes."
    ),
    ("@close", 6, "@close: expected the handle of an instance."),
    ("@seed -1", 6, "\"-1\" is not a seed: use a whole number from 0 to 18446744073709551615."),
    ("@seed", 5, "@seed: expected a number."),
    ("@time noon", 6, "\"noon\" is not a time such as 2026-01-31T12:00:00Z."),
    ("@locale english", 8, "\"english\" is not a locale such as en_US or zh-Hant-TW."),
    ("@timezone ../UTC", 10, "\"../UTC\" is not a time zone such as UTC or Europe/Vienna."),
    (
      "@timezone Europe Vienna", 10,
      "\"Europe Vienna\" is not a time zone such as UTC or Europe/Vienna."
    ),
    ("@skip", 5, "@skip: expected a reason, as in @skip waits for the new server."),
    ("@skip  ", 7, "@skip: expected a reason, as in @skip waits for the new server."),
    ("@tags", 5, "@tags: expected a tag, as in @tags slow network."),
    ("@tags a  b,", 9, tag.replacing("%@", with: "b,") + " Did you mean \"b\"?"),
    ("@tags größe !slow", 14, tag.replacing("%@", with: "!slow") + " Did you mean \"slow\"?"),
    ("@tags {}", 6, tag.replacing("%@", with: "{}")),
    ("@tags a\tb", 7, tab),
    ("@storage", 8, "@storage: expected a key, as in @storage recents []."),
    (
      "@record tmier", 8,
      "\"tmier\" is not an effect that the engine simulates. Did you mean \"timer\"?"
    ),
    ("{", 1, "this line is not JSON: expected a string, found the end of the input."),
    ("{\"name\":\"say\"", 13, "this line is not JSON: expected \"}\"."),
    ("{\"name\":\"say\"}}", 14, "this line is not JSON: expected its end after the object."),
    ("{\"name\" \"say\"}", 8, "this line is not JSON: expected \":\"."),
    ("{\"name\":1}", 8, "this line is not JSON: expected a string, found \"1\"."),
    ("{\"name\":\"\"}", 8, "\"name\" must not be empty."),
    ("{\"name\":\"say\",\"value\":}", 22, "this line is not JSON: expected a value, found \"}\"."),
    ("{\"name\":\"a\",\"name\":\"b\"}", 13, "\"name\" appears twice."),
    ("{\"nmae\":\"say\"}", 2, "no line has a member \"nmae\". Did you mean \"name\"?"),
    ("{}", 0, "a line of kind \"input\" needs \"name\"."),
    ("{\"kind\":\"inptu\"}", 9, "there is no kind \"inptu\" of line. Did you mean \"input\"?"),
    ("{\"name\":\"say\",\"id\":1}", 19, "a line of kind \"input\" has no \"id\"."),
    ("{\"kind\":\"reply\"}", 0, "a line of kind \"reply\" needs \"id\"."),
    (
      "{\"kind\":\"reply\",\"id\":0}", 21,
      "\"id\" must be the number of a request, from 1 on."
    ),
    (
      "{\"kind\":\"reply\",\"id\":\"1\"}", 21,
      "\"id\" must be the number of a request, from 1 on."
    ),
    ("{\"kind\":\"error\",\"id\":1}", 0, "a line of kind \"error\" needs \"code\"."),
    ("{\"kind\":\"error\",\"id\":1,\"code\":1}", 30, "\"code\" must be a string."),
    (
      "{\"kind\":\"advance\",\"by\":\"soon\"}", 23,
      "\"soon\" is not a time such as 300ms, 5s or 2m, nor \"idle\"."
    ),
    ("{\"kind\":\"advance\",\"by\":5}", 23, "\"by\" must be a string."),
    ("{\"kind\":\"open\"}", 0, "a line of kind \"open\" needs \"viewModel\"."),
    ("{\"kind\":\"close\"}", 0, "a line of kind \"close\" needs \"instance\"."),
    (
      "{\"name\":\"a\\u0000b\"}", 0,
      "a name in this line has characters that no name can have."
    ),
    // Blanks, tabs and other bytes that stand in no word.
    ("  > say", 0, complete), ("   1]", 0, complete),
    ("\t> say", 0, tabFirst), ("\t1]", 0, tabFirst),
    (">\tdidSearch", 1, tab), ("> \tdidSearch", 2, tab), ("> say\t1", 5, tab),
    ("> say \t1", 6, tab), ("< items\t[]", 7, tab), ("< @2\t0ms items []", 4, tab),
    ("< @20ms\titems []", 7, tab), ("? 1\thttp", 3, tab), ("? 1 http\t{}", 8, tab),
    ("x\t1", 1, tab), ("x 1\t", 3, tab), ("!\t1", 1, tab), ("! 1\t2", 3, tab),
    ("! 1 \terror", 4, tab), ("+\t5s", 1, tab), ("+ 5s\t", 4, tab), ("+ 5\ts", 3, tab),
    ("vmt\t1", 3, tab), ("vmt 1\t", 5, tab), ("@open\tm", 5, tab), ("@open m\tas a", 7, tab),
    ("@plugin a\tb", 9, tab), ("@seed 1\t", 7, tab), ("@storage a\t1", 10, tab),
    ("@end\t", 4, tab),
    ("> say\r", 5, carriageReturn), ("# a\rb", 3, carriageReturn), ("+ 5s\r", 4, carriageReturn),
    ("> s\u{1b}y", 3, "there is a control character here (U+001B)."),
    ("> s\u{7f}y", 3, "there is a control character here (U+007F)."),
    ("# \0", 2, "there is a NUL byte in this line."),
    ("> say \"\0\"", 7, "there is a NUL byte in this line."),
    (
      "\u{feff}vmt 1", 0, "this begins with a byte order mark. Save it as UTF-8 without one."
    ),
    // Marks of merge conflicts.
    ("<<<<<<< HEAD", 0, mergeMarker), ("<<<<<<<", 0, mergeMarker), ("=======", 0, mergeMarker),
    (">>>>>>> x", 0, mergeMarker), ("|||||||", 0, mergeMarker),
    ("||||||| 30a61ba", 0, mergeMarker),
    // Notations of elsewhere.
    (">> x", 0, "no line begins with \">>\". Did you mean \">\"?"),
    ("-> a", 0, "no line begins with \"->\". Did you mean \">\"?"),
    ("=>a", 0, "no line begins with \"=>\". Did you mean \">\"?"),
    ("= items []", 0, "no line begins with \"=\". Did you mean \"<\"?"),
    ("<- items []", 0, "no line begins with \"<-\". Did you mean \"<\"?"),
    ("?? 1 http", 0, "no line begins with \"??\". Did you mean \"?\"?"),
    ("!! 1", 0, "no line begins with \"!!\". Did you mean \"!\"?"),
    ("++ 5s", 0, "no line begins with \"++\". Did you mean \"+\"?"),
    ("// why", 0, "no line begins with \"//\". Did you mean \"#\"?"),
    ("//why", 0, "no line begins with \"//\". Did you mean \"#\"?"),
    ("X 1", 0, "no line begins with \"X\". Did you mean \"x\"?"),
    ("x12", 0, "no line begins with \"x12\". Did you mean \"x 12\"?"),
    ("VMT 1", 0, "no line begins with \"VMT\". Did you mean \"vmt\"?"),
    ("vmt1", 0, "no line begins with \"vmt1\". Did you mean \"vmt 1\"?"),
    (
      "\u{1b}[1m", 0,
      "no line begins with \"\u{fffd}[1m\"" + unknown.replacing("%@", with: "\u{fffd}[1m")
    ),
    (
      ">didSearch \"a\"", 1,
      "expected a space between \">\" and what follows. Did you mean \"> didSearch\"?"
    ),
    ("<a", 1, "expected a space between \"<\" and what follows. Did you mean \"< a\"?"),
    ("?1 http", 1, "expected a space between \"?\" and what follows. Did you mean \"? 1\"?"),
    ("!1", 1, "expected a space between \"!\" and what follows. Did you mean \"! 1\"?"),
    // What a step emits.
    ("<", 1, "expected an output, as in \"< loading \\\"none\\\"\"."),
    ("< ", 2, "expected an output, as in \"< loading \\\"none\\\"\"."),
    ("< @20ms", 7, "expected an output, as in \"< loading \\\"none\\\"\"."),
    ("< list.", 7, "expected the name of an output."),
    ("< .items", 2, "expected the handle of an instance before the dot."),
    ("< items []]", 10, "the value is not JSON: expected the end of the line."),
    (
      "< loading none", 11,
      "the value is not JSON: expected \"null\", found \"o\". Text is written in double quotes."
    ),
    (
      "< loading full", 11,
      "the value is not JSON: expected \"false\", found \"u\". Text is written in double quotes."
    ),
    (
      "< loading slow", 10,
      "the value is not JSON: expected a value, found \"s\". Text is written in double quotes."
    ),
    ("< @240 items", 2, "\"@240\" is not an offset such as @300ms. Did you mean \"@240ms\"?"),
    ("< @-20ms items", 2, "\"@-20ms\" is not an offset such as @300ms."),
    ("< @ items", 2, "\"@\" is not an offset such as @300ms."),
    ("?", 1, "expected a request, as in \"? 1 http {\\\"url\\\":…}\"."),
    ("? @1s", 5, "expected a request, as in \"? 1 http {\\\"url\\\":…}\"."),
    (
      "? http {}", 2,
      "\"http\" is not the id of a request: use a whole number from 1 on. It comes before"
        + " the effect, as in \"? 1 http\"."
    ),
    (
      "? storage.get {}", 10,
      "\"get\" is not the id of a request: use a whole number from 1 on. It comes before the"
        + " effect, as in \"? 1 storage.get\"."
    ),
    ("? 1", 3, "expected the name of an effect, such as http."),
    ("? 1 {}", 4, "expected the name of an effect, such as http."),
    ("x", 1, "expected the id of a request, as in \"x 1\"."),
    ("x http", 2, "\"http\" is not the id of a request: use a whole number from 1 on."),
    ("x +1", 2, "\"+1\" is not the id of a request: use a whole number from 1 on."),
    (
      "x 18446744073709551616", 2,
      "\"18446744073709551616\" is not the id of a request: use a whole number from 1 on."
    ),
    ("x 1 {}", 4, "expected nothing after the id of the request."),
    // Inputs, answers and directives.
    ("> .say", 2, "expected the handle of an instance before the dot."),
    ("! .1", 2, "expected the handle of an instance before the dot."),
    ("! l.", 4, "\"\" is not the id of a request: use a whole number from 1 on."),
    (
      "! 1 error {\"code\":\"a\",\"mesage\":\"b\"}", 10,
      "an error has no \"mesage\". Did you mean \"message\"?"
    ),
    (
      "! 1 error {\"code\":\"a\",\"message\":1}", 10,
      "the \"message\" of an error must be a string."
    ),
    (
      "+ 300", 2,
      "\"300\" is not a time such as 300ms, 5s or 2m, nor \"idle\". Did you mean \"300ms\"?"
    ),
    ("@ens", 0, "there is no directive @ens. Did you mean \"@end\"?"),
    ("@Plugin a.so", 0, "there is no directive @Plugin. Did you mean \"@plugin\"?"),
    ("@end now", 5, "nothing may follow @end."),
    ("@recorded", 9, "@recorded: expected an object, as in @recorded {}."),
    ("@recorded 1", 10, "@recorded: expected an object, as in @recorded {}."),
    ("@seed +1", 6, "\"+1\" is not a seed: use a whole number from 0 to 18446744073709551615."),
    ("@storage \"a\"1", 12, "expected a space after the key."),
    (
      "@storage \"a 1", 9,
      "the key is not a JSON string: expected a closing quote, found the end of the input."
    ),
    ("vmt +1", 4, "expected the version of the format, as in \"vmt 1\"."),
    ("vmt 1 2", 4, "expected the version of the format, as in \"vmt 1\"."),
    // Names that the text form can't have.
    ("{\"name\":\"a b\"}", 10, "a name has neither spaces, dots nor control characters."),
    ("{\"kind\":\"close\",\"name\":\"\\u0061\"}", 0, "a line of kind \"close\" has no \"name\"."),
    ("{\"name\":\"a.b\"}", 10, "a name has neither spaces, dots nor control characters."),
    (
      "{\"kind\":\"open\",\"viewModel\":\"a b\"}", 27,
      "\"viewModel\" must be the id of a view model, such as \"movies.list\"."
    ),
  ]

  @Test(arguments: errors.indices)
  func `an error says what and where`(_ index: Int) {
    let (text, offset, words) = Self.errors[index]
    let found = #expect(throws: ScriptError.self) {
      _ = try ScriptLine.parse(Array(text.utf8).span)
    }
    #expect(found?.message == words, "\(text)")
    #expect(found?.offset == offset, "\(text)")
  }

  private static let notUTF8 = "there are bytes here that are not UTF-8. Save the file as UTF-8."

  @Test(arguments: [
    ("> s\u{fffd}y", 3), ("< \u{fffd}", 2), ("? 1 \u{fffd}", 4), ("# gr\u{fffd}\u{fffd}e", 4),
    ("@plugin \u{fffd}.so", 8), ("@open \u{fffd}", 6), ("@storage \u{fffd} 1", 9), ("@\u{fffd}", 1),
    ("+ \u{fffd}", 2), ("> a\u{fffd}.say", 3),
  ])
  func `names and comments are UTF-8`(_ text: String, _ offset: Int) {
    // Each replacement character stands for the one byte of another encoding.
    let bytes = text.unicodeScalars.flatMap { scalar -> [UInt8] in
      scalar == "\u{fffd}" ? [0xf6] : Array(String(scalar).utf8)
    }
    let found = #expect(throws: ScriptError.self) { _ = try ScriptLine.parse(bytes.span) }
    #expect(found?.message == Self.notUTF8)
    #expect(found?.offset == offset)
  }

  @Test func `values are UTF-8`() {
    for head in ["> say ", "< said ", "? 1 http ", "! 1 ", "@storage a ", "@open m "] {
      let bytes = Array(head.utf8) + [0x22, 0xf6, 0x22]
      let found = #expect(throws: ScriptError.self) { _ = try ScriptLine.parse(bytes.span) }
      #expect(found?.message.hasPrefix("the value is not JSON: ") == true)
      #expect(found?.offset == head.utf8.count + 1)
    }
  }

  // MARK: Reports

  @Test func `a report shows the line and the place`() {
    let line = Array("> say {\"a\":}".utf8)
    let error = ScriptError("the value is not JSON.", at: 11)
    #expect(
      error.report(source: "a.vmt", number: 12, line: line.span) == """
        a.vmt:12:12: the value is not JSON.
          12 | > say {"a":}
             |            ^
        """)
  }

  @Test func `a report counts characters, not bytes, and shows no control characters`() {
    let line = Array("> größe\u{1b}[1m {".utf8)
    let error = ScriptError("bad.", at: line.count - 1)
    #expect(
      error.report(source: "-", number: 1, line: line.span) == """
        -:1:13: bad.
          1 | > größe?[1m {
            |             ^
        """)
  }

  @Test func `a report leaves out a line that is too long to point into`() {
    let line = [UInt8](repeating: 0x61, count: 1_000_000)
    let far = ScriptError("bad.", at: 500_000).report(source: "-", number: 1, line: line.span)
    #expect(far == "-:1:500001: bad.")
    let near = ScriptError("bad.", at: 0).report(source: "-", number: 1, line: line.span)
    #expect(near.utf8.count < 250)
    let empty = ScriptError("bad.", at: 5).report(source: "-", number: 1, line: [UInt8]().span)
    #expect(empty == "-:1:1: bad.")
  }

  @Test func `a report shows the one of several lines that it is about`() {
    let lines = Array("> say [\n  1,\n  2".utf8)
    let error = ScriptError("bad.", at: lines.count)
    #expect(
      error.report(source: "a.vmt", number: 9, line: lines.span) == """
        a.vmt:11:4: bad.
          11 |   2
             |    ^
        """)
    let first = ScriptError("bad.", at: 7).report(source: "a.vmt", number: 9, line: lines.span)
    #expect(first.hasPrefix("a.vmt:9:8: bad.\n"))
    let second = ScriptError("bad.", at: 8).report(source: "a.vmt", number: 9, line: lines.span)
    #expect(second.hasPrefix("a.vmt:10:1: bad.\n"))
  }
}

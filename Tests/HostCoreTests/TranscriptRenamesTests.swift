import Testing

@testable import HostCore

/// What renames make of a transcript.
struct TranscriptRenamesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let renames: [String]
    let old: String
    let new: String
    var testDescription: String { "\(renames) \(old.debugDescription)" }

    init(_ renames: String..., old: String, new: String) {
      (self.renames, self.old, self.new) = (renames, old, new)
    }
  }

  private static func rewrite(_ renames: [String], _ text: String) throws -> String {
    var renames = try TranscriptRenames(renames)
    let source = TranscriptSource(path: "a.vmt", bytes: Array(text.utf8))
    let rewritten = try renames.rewrite(source)
    return String(decoding: rewritten, as: UTF8.self)
  }

  private static let two = """
    vmt 1
    @plugin movies.so
    # said in a comment stays.
    @open a.list
    < said "said"
    @open a.list as other {"said":"said"}
    <  other.said   {
      "said": 1
      }\r
    @open b.page as page
    < page.said 1
    > list.say "said"
    < list.said 1
    < @5ms other.said 2
    ? list.1 said {"said":1}
    ! list.1 {"said":1}
    x other.2
    ! other.3 error {"code":"offline"}
    + 1s
    < page.said 3
    @close other
    < other.said 4
    > say 1
    """

  private static let cases = [
    Case(
      "output:a.list.said=spoken", old: two,
      new: two.replacing("list.said", with: "list.spoken")
        .replacing("other.said", with: "other.spoken")
        .replacing("< said", with: "< spoken")),
    Case(
      "output:b.page.said=spoken", old: two, new: two.replacing("page.said", with: "page.spoken")),
    Case("input:a.list.say=tell", old: two, new: two.replacing("list.say", with: "list.tell")),
    Case(
      "handle:other=it", old: two,
      new: two.replacing("other.", with: "it.").replacing("as other", with: "as it")
        .replacing("@close other", with: "@close it")),
    // The default handle.
    Case(
      "handle:list=rows", old: two,
      new: two.replacing(" list.", with: " rows.")
        .replacing("@open a.list\n", with: "@open a.list as rows\n")),
    // Lines name the handle, so it stays.
    Case(
      "view-model:a.list=a.rows", old: two,
      new: two.replacing("@open a.list\n", with: "@open a.rows as list\n")
        .replacing("@open a.list as", with: "@open a.rows as")),
    Case(
      "view-model:a.list=a.rows", "handle:list=rows", old: two,
      new: two.replacing(" list.", with: " rows.").replacing("@open a.list", with: "@open a.rows")),
    // No line names the handle.
    Case(
      "view-model:a.list=a.rows", old: "@open a.list  {}\n< said 1\n",
      new: "@open a.rows  {}\n< said 1\n"),
    // Two names are exchanged.
    Case(
      "output:a.said=heard", "output:a.heard=said", old: "@open a\n< said 1\n< heard 2\n",
      new: "@open a\n< heard 1\n< said 2\n"),
    Case(
      "output:a.said=a.heard", old: "@open a\r\n< said 1\r\n# said\r\n< said 2",
      new: "@open a\r\n< heard 1\r\n# said\r\n< heard 2"),
    Case(
      "view-model:a.list=b", "input:a.list.say=tell", "handle:x=y",
      old: """
        {"kind":"open","viewModel":"a.list"}
        {"name":"say","value":{"name":"say"}}
        {"kind":"open","instance":"x","viewModel":"a.list"}
        {"value":1, "instance":"x" , "name":"s\\u0061y"}
        {"kind":"input","instance":"list","name":"say"}
        {"kind":"close","instance":"x"}

        """,
      new: """
        {"kind":"open","viewModel":"b","instance":"list"}
        {"name":"tell","value":{"name":"say"}}
        {"kind":"open","instance":"y","viewModel":"b"}
        {"value":1, "instance":"y" , "name":"tell"}
        {"kind":"input","instance":"list","name":"tell"}
        {"kind":"close","instance":"y"}

        """),
    // The instances of another view model, and lines that don't say whose they are.
    Case(
      "output:b.page.sayd=spoken", old: "@open a\n@open b.page\n< sayd 1\n",
      new: "@open a\n@open b.page\n< sayd 1\n"),
  ]

  @Test(arguments: cases)
  func `changes the names, and no other byte`(_ each: Case) throws {
    #expect(try Self.rewrite(each.renames, each.old) == each.new)
  }

  @Test(arguments: [
    (["x"], "\"x\" doesn't have one of the forms \(TranscriptRenames.form)."),
    (["handle:a"], "\"handle:a\" doesn't have one of the forms \(TranscriptRenames.form)."),
    (["handle:=a"], "\"handle:=a\" doesn't have one of the forms \(TranscriptRenames.form)."),
    (["handle:a=b=c"], "\"handle:a=b=c\" doesn't have one of the forms \(TranscriptRenames.form)."),
    (["output:a=b"], "\"output:a=b\" doesn't have one of the forms \(TranscriptRenames.form)."),
    (["output:.a=b"], "\"output:.a=b\" doesn't have one of the forms \(TranscriptRenames.form)."),
    (["output:a.=b"], "\"output:a.=b\" doesn't have one of the forms \(TranscriptRenames.form)."),
    (
      ["viewmodel:a=b"],
      "\"viewmodel:a=b\" doesn't have one of the forms \(TranscriptRenames.form). Did you mean"
        + " \"view-model\"?"
    ),
    (
      ["handle:a=b.c"],
      "\"b.c\" can't be a name: a name has no spaces, dots, quotes, backslashes or control"
        + " characters, and doesn't begin with \"@\" or \"{\"."
    ),
    (
      ["view-model:a=b c"],
      "\"b c\" can't be a name: a name has no spaces, quotes, backslashes or control characters,"
        + " and doesn't begin with \"@\" or \"{\"."
    ),
    (["handle:a=a"], "\"handle:a=a\": the new name is the old one."),
    (
      ["handle:a=b", "handle:a=c"],
      "\"handle:a=c\" and an earlier --rename give this name two"
        + " different new ones."
    ),
  ])
  func `says what is wrong with an argument`(_ arguments: [String], _ words: String) {
    let mistake = #expect(throws: TranscriptRenames.Mistake.self) {
      try TranscriptRenames(arguments)
    }
    #expect(mistake?.description == words)
  }

  @Test(arguments: [
    (
      "handle:a=b", "@open x as a\n@open x as b\n",
      """
      a.vmt:2:7: the handle would be "b", as that of the instance of line 1.
        2 | @open x as b
          |       ^
      """
    ),
    (
      "view-model:x.a=x.b", "@open x.a\n@open y as b\n",
      """
      a.vmt:2:7: the handle would be "b", as that of the instance of line 1.
        2 | @open y as b
          |       ^
      """
    ),
    // A flow may open both.
    (
      "handle:a=b", "> a.say 1\n< b.said 1\n",
      """
      a.vmt:2:3: "b" is already a handle of this transcript.
        2 | < b.said 1
          |   ^
      """
    ),
    (
      "handle:a=b", "@open x as a\n> a.say oh\n",
      """
      a.vmt:2:9: the value is not JSON: expected a value, found "o". Text is written in double \
      quotes.
        2 | > a.say oh
          |         ^
      """
    ),
  ])
  func `says where a name can't be changed`(_ rename: String, _ text: String, _ words: String) {
    let error = #expect(throws: TranscriptError.self) { try Self.rewrite([rename], text) }
    #expect(error?.message == words)
  }

  @Test func `a handle may be used again once it is closed`() throws {
    let text = "@open x as a\n@close a\n@open x as b\n< b.said 1\n"
    #expect(
      try Self.rewrite(["handle:a=b"], text)
        == "@open x as b\n@close b\n@open x as b\n< b.said 1\n")
  }

  @Test(arguments: [
    (
      "output:a.list.sayd=b",
      "\"output:a.list.sayd=b\": no transcript has a line for an output of a.list named \"sayd\"."
        + " Did you mean \"said\"?"
    ),
    (
      "output:a.lst.said=b",
      "\"output:a.lst.said=b\": no transcript opens the view model \"a.lst\". Did you mean"
        + " \"a.list\"?"
    ),
    (
      "input:a.list.said=b",
      "\"input:a.list.said=b\": no transcript sends a.list an input \"said\"."
    ),
    (
      "view-model:a.lst=b",
      "\"view-model:a.lst=b\": no transcript opens a view model \"a.lst\". Did you mean"
        + " \"a.list\"?"
    ),
    (
      "handle:othr=b",
      "\"handle:othr=b\": no transcript has a handle \"othr\". Did you mean \"other\"?"
    ),
  ])
  func `says which name no transcript has`(_ rename: String, _ words: String) throws {
    var renames = try TranscriptRenames([rename])
    let bytes = Array(Self.two.utf8)
    #expect(try renames.rewrite(TranscriptSource(path: "a.vmt", bytes: bytes)) == bytes)
    #expect(renames.unmatched?.hasPrefix(words) == true, "\(renames.unmatched ?? "")")
    #expect(renames.lineCount == 0)
  }
}

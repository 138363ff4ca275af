import Foundation
import HostCore
import TestSupport
import Testing

/// `vmhost view`.
struct ViewTests {
  private static let recording = "Examples/recorded-search.vmt"

  @Test func `shows help`() async throws {
    for arguments in [["view", "--help"], ["help", "view"]] {
      try await VMHostRun.expect(arguments, stdout: VMHostRun.golden("help-view.txt"))
    }
  }

  @Test func `has the lines of a replay, and a line before each step`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("page.html")
      try await VMHostRun.expect(
        ["view", Self.recording, "-o", path], stderr: "vmhost: wrote \(path)\n")
      let replay = try await VMHostRun.output(["replay", Self.recording])
      let page = try PageFile(path)
      let own = ["page", "trace", "viewModel", "step"]
      let others = try page.lines().filter { line in
        !own.contains { line.hasPrefix("{\"kind\":\"\($0)\"") }
      }
      #expect(others == replay.stdout.split(separator: "\n").map(String.init))
      #expect(
        try page.lines("page", "trace", "step").prefix(5).joined(separator: "\n") == """
          {"kind":"page","schema":1,"type":"session","title":"recorded-search.vmt"}
          {"kind":"trace","source":"\(Self.recording)","played":true,"verdict":"passed"}
          {"kind":"step","t":0,"step":1,"line":18,"action":"open","instance":"list",\
          "name":"movies.list","value":{"apiKey":"$secret:tmdb","source":"tmdb"}}
          {"kind":"step","t":0,"step":2,"line":30,"action":"advance","name":"53ms"}
          {"kind":"step","t":0.053,"step":3,"line":31,"action":"input","instance":"list",\
          "name":"didSearch","value":"jaws"}
          """)
      #expect(try page.lines("viewModel").count == 3)
    }
  }

  /// Steps of each kind, with two instances, and lines that say when they come.
  private static let steps = """
    vmt 1
    @plugin nothing-here.so
    @open a.b
    < x 1
    @open a.c as other {"k":"</script>"}
    > b.typed "é"
    ? b.1 http {"url":"u"}
    ? @0ms other.7 ask
    + 1500ms
    < @300ms other.y {
        "big": 12345678901234567890
      }
    < b.x 2
    ! b.1 error {"code":"offline","message":"no route"}
    x other.7
    {"kind":"input","instance":"other","name":"\\u0061gain"}
    + idle
    < @2s b.x 3
    @close other
    < x 4

    """

  private static let lines = #"""
    {"kind":"page","schema":1,"type":"session","title":"a.vmt"}
    {"kind":"trace","source":"a.vmt","played":false}
    {"kind":"step","t":0,"step":1,"line":3,"action":"open","instance":"b","name":"a.b"}
    {"kind":"output","t":0,"instance":"b","name":"x","value":1}
    {"kind":"step","t":0,"step":2,"line":5,"action":"open","instance":"other","name":"a.c",\#
    "value":{"k":"</script>"}}
    {"kind":"step","t":0,"step":3,"line":6,"action":"input","instance":"b","name":"typed",\#
    "value":"é"}
    {"kind":"request","t":0,"instance":"b","id":1,"effect":"http","value":{"url":"u"}}
    {"kind":"request","t":0,"instance":"other","id":7,"effect":"ask"}
    {"kind":"step","t":0,"step":4,"line":9,"action":"advance","name":"1500ms"}
    {"kind":"output","t":0.3,"instance":"other","name":"y","value":{"big":12345678901234567890}}
    {"kind":"output","t":1.5,"instance":"b","name":"x","value":2}
    {"kind":"step","t":1.5,"step":5,"line":14,"action":"error","instance":"b","id":1,\#
    "value":{"code":"offline","message":"no route"}}
    {"kind":"cancel","t":1.5,"instance":"other","id":7,"effect":"ask"}
    {"kind":"step","t":1.5,"step":6,"line":16,"action":"input","instance":"other","name":"again"}
    {"kind":"step","t":1.5,"step":7,"line":17,"action":"advance","name":"idle"}
    {"kind":"output","t":3.5,"instance":"b","name":"x","value":3}
    {"kind":"step","t":3.5,"step":8,"line":19,"action":"close","instance":"other"}
    {"kind":"output","t":3.5,"instance":"b","name":"x","value":4}
    """#

  @Test func `shows what a file says if it is asked to, or if a plugin is missing`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write(Self.steps, to: "a.vmt")
      try await VMHostRun.expect(
        ["view", "--unplayed", "a.vmt"], workingDirectory: folder.path,
        stderr: "vmhost: wrote a.html\n")
      let page = try PageFile(folder.file("a.html"))
      #expect(try page.lines().joined(separator: "\n") == Self.lines)
      let output = try await VMHostRun.output(
        ["view", "a.vmt", "-o", "-"], workingDirectory: folder.path)
      #expect(output.stdout == page.html)
      #expect(output.stderr.contains("nothing-here.so"))
      #expect(output.stderr.hasSuffix("\nvmhost: a.vmt: the page shows what the file says.\n"))
      #expect(output.status == .exited(0))
    }
  }

  @Test func `shows differences, skipped steps and what is left open`() async throws {
    let text = """
      vmt 1
      @plugin movies.so
      @open movies.list {"apiKey":"k","source":"tmdb"}
      < items [1]
      > didSearch "jaws"
      > noInput

      """
    try await TemporaryDirectory.with { folder in
      try folder.write(text, to: "a.vmt")
      let output = try await VMHostRun.output(
        ["view", "a.vmt"], workingDirectory: folder.path)
      #expect(output.status == .exited(0))
      let page = try PageFile(folder.file("a.html"))
      #expect(
        try page.lines("trace") == [
          "{\"kind\":\"trace\",\"source\":\"a.vmt\",\"played\":true,\"verdict\":\"failed\"}"
        ])
      let differences = try page.lines("difference", "skipped")
      #expect(differences.count == 4)
      #expect(differences[3].contains("left over: request 1"))
      let first = "{\"side\":\"expected\",\"text\":\"< items [1]\"}"
      #expect(differences[0].contains("\"line\":4,") && differences[0].contains(first))
      #expect(differences.contains { $0.contains("noInput") })
      #expect(try page.lines("end")[0].hasSuffix("\"status\":1}"))
    }
  }

  @Test func `puts several sessions into one page`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("page.html")
      let other = "Examples/recorded-signup.vmt"
      try await VMHostRun.expect(
        ["view", Self.recording, other, "-o", path], stderr: "vmhost: wrote \(path)\n")
      let page = try PageFile(path)
      #expect(try page.lines("page")[0].hasSuffix("\"title\":\"2 sessions\"}"))
      #expect(
        try page.lines("trace").map { $0.contains(Self.recording) || $0.contains(other) }
          == [true, true])
    }
  }

  @Test(arguments: [
    (["view"], "\"vmhost view\" needs FILE.", 2),
    (["view", "none.vmt"], "could not read the transcript \"none.vmt\"", 2),
    (["view", "."], "\".\" is a folder, not a transcript.", 2),
    (["view", "bad.vmt"], "bad.vmt:2:1: there is no directive @opne.", 2),
    (["view", "good.vmt", "bad.vmt"], "bad.vmt:2:1:", 2),
    (["view", "good.vmt", "-o", "no/page.html"], "could not write \"no/page.html\":", 74),
    (["view", "good.vmt", "--sandbox", "none"], "--sandbox", 2),
    (["view", "good.vmt", "--script", "x"], "--script", 2),
  ])
  func `refuses what it can't show, and writes nothing`(
    _ arguments: [String], _ message: String, _ status: Int32
  ) async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write("vmt 1\n@opne movies.list\n", to: "bad.vmt")
      try folder.write("vmt 1\n@plugin movies.so\n@open movies.list\n", to: "good.vmt")
      let output = try await VMHostRun.output(arguments, workingDirectory: folder.path)
      #expect(output.stderr.contains(message), "\(output.stderr)")
      #expect(output.status == .exited(status))
      #expect(try Files.names(in: folder.path).sorted() == ["bad.vmt", "good.vmt"])
    }
  }
}

/// The page among the examples.
struct ExamplePageTests {
  /// Without what differs from build to build and from machine to machine.
  private static func normalized(_ html: String) -> String {
    html.replacing(/"sha256":"[0-9a-f]+"/, with: "").replacing(/,"missing":\[[^\]]*\]/, with: "")
  }

  /// To change it: `vmhost view Examples/recorded-search.vmt -o Examples/recorded-search.html`.
  @Test func `is what vmhost makes of the recorded search`() async throws {
    let output = try await VMHostRun.output(["view", "Examples/recorded-search.vmt", "-o", "-"])
    let example = try Repository.text("Examples/recorded-search.html")
    #expect(Self.normalized(output.stdout) == Self.normalized(example))
  }
}

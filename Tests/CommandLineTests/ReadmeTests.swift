import CanonicalJSON
import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// What the documents show is what happens.
@Suite struct ReadmeTests {
  private let readme: String
  private let root: String

  init() throws {
    root = try Repository.root()
    readme = try Repository.text("README.md")
  }

  @Test func `the first command finds the film`() async throws {
    let command = try block(after: "<!-- ci: demo -->")
    #expect(command.hasPrefix("swift build && .build/debug/vmhost "))
    let arguments = command.split(separator: " ").drop { $0 != "run" }.map {
      $0.trimmingNewline
    }
    let output = try await ChildProcess.run(
      try BuildProducts.executable("vmhost"), arguments, workingDirectory: root
    ).asOnWholeMachine
    #expect(output.stdout == (try VMHostRun.golden("first-command.txt")))
    #expect(output.stderr == "")
    #expect(output.status == .success)
  }

  @Test func `the picture shows what a session prints`() async throws {
    // `Documentation/Pictures/draw` draws it anew.
    let picture = try Repository.text("Documentation/Pictures/terminal.svg")
    let entities = ["lt": "<", "gt": ">", "quot": "\"", "amp": "&"]
    let shown = picture.split(separator: "\n").filter { $0.hasPrefix("<text") }.map { line in
      String(line).replacing(/<[^>]*>/, with: "")
        .replacing(/&(\w+);/) { entities[String($0.1)] ?? "?" }
    }
    let typed = shown.filter { $0.hasPrefix("$ ") || $0.hasPrefix(">") }
    #expect(typed == ["$ vmhost run movies.so", "> didSearch \"jaws\"", ">"])
    let output = try await VMHostRun.output(
      ["run", "movies.so", "--format", "text"], .text("> didSearch \"jaws\"\n+ idle\n"))
    let printed = shown.filter { !typed.contains($0) && !$0.hasPrefix("movies 1.0.0. ") }
    #expect(printed == output.stdout.split(separator: "\n").map(String.init))
  }

  @Test func `the README is short`() {
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 120)
  }

  @Test func `the commands for a pipe both find the film`() async throws {
    let folder = try BuildProducts.directory
    let output = try await ChildProcess.run(
      "/bin/sh", ["-ec", try block(after: "<!-- run: pipe -->")],
      environment: ["PATH": "\(folder):/usr/bin:/bin"])
    #expect(output.status == .success)
    #expect(output.stdout.split(separator: "Release Date: Jun 20, 1975").count == 3)
  }

  @Test func `the commands for a recording make one that passes`() async throws {
    try await TemporaryDirectory.with { directory in
      // Copies, because transcripts name flows in the other folder, and links would lead outside.
      try FileManager.default.createDirectory(
        atPath: directory.file("Tests"), withIntermediateDirectories: false)
      for folder in ["Examples", "Tests/Transcripts"] {
        try FileManager.default.copyItem(
          atPath: "\(root)/\(folder)", toPath: directory.file(folder))
      }
      let output = try await ChildProcess.run(
        "/bin/sh", ["-ec", try block(after: "<!-- run: record -->")],
        environment: ["PATH": "\(try BuildProducts.directory):/usr/bin:/bin"],
        workingDirectory: directory.path)
      #expect(output.status == .success, "\(output.stderr)")
      #expect(output.stdout.contains("> didSearch \"jaws\"\n"))
      #expect(output.lines.last?.contains(" passed in ") == true)
    }
  }

  @Test func `the commands for new projects make two`() async throws {
    try await TemporaryDirectory.with { directory in
      let output = try await ChildProcess.run(
        "/bin/sh", ["-ec", try block(after: "<!-- run: new -->")],
        environment: ["PATH": "\(try BuildProducts.directory):/usr/bin:/bin"],
        workingDirectory: directory.path)
      #expect(output.status == .success, "\(output.stderr)")
      // Found on the path, so that is how the next commands call it.
      #expect(output.stdout.contains("\n  vmhost run .build/debug/my-cart.so\n"))
      #expect(output.stdout.contains("\n  vmhost run target/debug/my_shop.so\n"))
    }
  }

  @Test func `the commands for flows open what a signal leads to, and draw it`() async throws {
    let document = try Repository.text("Documentation/Flows.md")
    let output = try await ChildProcess.run(
      "/bin/sh", ["-ec", try block(after: "<!-- run: flow -->", in: document)],
      environment: ["PATH": "\(try BuildProducts.directory):/usr/bin:/bin"],
      workingDirectory: root)
    #expect(output.status == .success, "\(output.stderr)")
    #expect(output.stdout.contains("\n# opened suggestions: movies.suggestions\n"))
    #expect(output.stdout.contains("flowchart LR\n"))
  }

  @Test func `Testing.md makes a test from nothing`() async throws {
    let document = try Repository.text("Documentation/Testing.md")
    try await TemporaryDirectory.with { directory in
      try directory.write(block(after: "<!-- file: steps -->", in: document), to: "echo.vmt")
      let output = try await ChildProcess.run(
        "/bin/sh", ["-ec", try block(after: "<!-- run: fill-in -->", in: document)],
        environment: ["PATH": "\(try BuildProducts.directory):/usr/bin:/bin"],
        workingDirectory: directory.path)
      #expect(output.status == .success, "\(output.stderr)")
      #expect(output.stdout.contains("1 unverified in "))
      #expect(output.stdout.contains("\n1 passed in "))
      let filledIn = try String(contentsOfFile: directory.file("echo.vmt"), encoding: .utf8)
      #expect(filledIn.hasSuffix("# What is said comes back.\n> say \"hello\"\n< said \"hello\"\n"))
    }
  }

  @Test func `Testing.md renames what a plugin has renamed`() async throws {
    let document = try Repository.text("Documentation/Testing.md")
    try await TestFolder.with(["echo.vmt": Sample.passed.replacing("< said", with: "< spoken")]) {
      folder in
      let output = try await ChildProcess.run(
        "/bin/sh", ["-c", try block(after: "<!-- run: changed -->", in: document)],
        environment: ["PATH": "\(try BuildProducts.directory):/usr/bin:/bin"],
        workingDirectory: folder.path)
      #expect(output.status == .success, "\(output.stderr)")
      #expect(output.stdout.contains("\n- < spoken 1\n"))
      #expect(output.stdout.contains("\nrenamed 1 line in 1 transcript\n"))
      #expect(try folder.text("echo.vmt") == Sample.passed)
    }
  }

  @Test func `Testing.md skips a transcript`() async throws {
    let document = try Repository.text("Documentation/Testing.md")
    try await TemporaryDirectory.with { directory in
      try directory.write(block(after: "<!-- file: skip -->", in: document), to: "a.vmt")
      try await VMHostRun.expect(
        ["test", "--list=jsonl", "a.vmt"], workingDirectory: directory.path,
        stdout: """
          {"kind":"transcript","path":"a.vmt","tags":["slow","needs-network"],\
          "skip":"waits for the new server"}

          """)
    }
  }

  @Test func `the plugin in the README is the one that is built`() throws {
    let file = "Examples/HelloPlugin/Greeter.swift"
    let snippet = try block(after: "<!-- file: \(file) -->")
    #expect(snippet == (try Repository.text(file)))
    #expect(snippet.split(separator: "\n", omittingEmptySubsequences: false).count < 30)
  }

  @Test func `every Swift example in Kit.md is code that is compiled`() throws {
    let sources = try [
      "Examples/HelloPlugin/Greeter.swift", "Tests/ViewModelKitTests/KitExamples.swift",
    ].map(Repository.text)
    let examples = try Repository.text("Documentation/Kit.md").split(separator: "```swift\n")
      .dropFirst().compactMap { $0.split(separator: "```").first }
    #expect(examples.count == 5)
    for example in examples {
      #expect(sources.contains { $0.contains(example) }, "\(example)")
    }
  }

  @Test func `every JSON line in CommandLine.md is one that a run understands`() throws {
    let text = try Repository.text("Documentation/CommandLine.md")
    let lines = text.split(separator: "`").filter { $0.hasPrefix("{\"kind\"") }.map(String.init)
    #expect(lines.count >= 6)
    for line in lines { _ = try ScriptLine.parse(Array(line.utf8).span) }
  }

  @Test func `the transcript in Transcripts.md emits what it says`() async throws {
    let document = try Repository.text("Documentation/Transcripts.md")
    let start = try #require(document.ranges(of: "```vmt\n").first).upperBound
    let transcript = String(
      document[start...].prefix(upTo: document[start...].ranges(of: "```")[0].lowerBound))
    var feed = LineReader()
    feed.fill { $0 = Array(transcript.utf8) }
    var expected: [UInt8] = []
    while let line = try feed.next(atEnd: true) {
      if case .expectation = line { expected += feed.storage[feed.line] + [0x0a] }
    }
    try await TemporaryDirectory.with { directory in
      let script = try directory.write(transcript, to: "example.vmt")
      // The transcript answers the request; this provider only keeps it from the network.
      let output = try await VMHostRun.output(
        ["run", "--script", script, "--secret", "tmdb=KEY"]
          + ["--effect", "http=cat >/dev/null"] + Arguments.text,
        environment: ["KEY": "a secret"])
      #expect(output.stdout == String(decoding: expected, as: UTF8.self))
      #expect(output.status == .success)
    }
  }

  @Test func `CommandLine.md lists every exit status there is`() throws {
    let text = try Repository.text("Documentation/CommandLine.md")
    let outcomes: [Outcome] = [
      .success, .failed, .usage, .notLoaded, .nothingToTest, .nondeterministic, .brokenPlugin,
      .internalError, .outputLost,
    ]
    for outcome in outcomes { #expect(text.contains("\n| \(outcome.status) | ")) }
  }

  /// The content of the first code block after a mark.
  private func block(after mark: String, in document: String? = nil) throws -> String {
    let text = document ?? readme
    let rest = try #require(text.ranges(of: mark).first.map { text[$0.upperBound...] })
    let lines = rest.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("```") }.dropFirst()
    return lines.prefix { $0 != "```" }.map { "\($0)\n" }.joined()
  }
}

extension Substring {
  fileprivate var trimmingNewline: String { String(self).filter { $0 != "\n" } }
}

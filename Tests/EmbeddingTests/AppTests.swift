import TestSupport
import Testing

/// The example app, as its users run it.
struct AppTests {
  @Test(arguments: [[], ["--in-process"]])
  func `the example prints what the documentation shows`(_ options: [String]) async throws {
    let output = try await ChildProcess.run(
      BuildProducts.executable("embedding-app"), options + ["jaws"], environment: [:])
    #expect(
      output.stdout == """
        loading "fullScreen"
        query "jaws"
        isEmpty false
        loading "none"
        1 found
        Jaws – Release Date: Jun 20, 1975

        """)
    #expect(output.stderr == "")
    #expect(output.status == .success)
    let page = try Repository.text("Documentation/Embedding.md")
    #expect(page.contains("```\n\(output.stdout)```\n"))
  }

  @Test func `an app can't go below VMHOST_SANDBOX`() async throws {
    let app = try BuildProducts.executable("embedding-app")
    let environment = ["VMHOST_SANDBOX": "standard", "SWIFT_BACKTRACE": "enable=no"]
    let confined = try await ChildProcess.run(app, ["jaws"], environment: environment)
    #expect(confined.stdout.hasSuffix("Jaws – Release Date: Jun 20, 1975\n"))
    #expect(confined.status == .success)
    let unconfined = try await ChildProcess.run(
      app, ["--in-process", "jaws"], environment: environment)
    #expect(unconfined.stdout == "")
    #expect(
      unconfined.stderr.contains(
        "Isolation.inProcess: it leaves plugins unconfined, and VMHOST_SANDBOX demands at least"
          + " \"standard\"."))
    #expect(unconfined.status != .success)
  }

  @Test(arguments: ["vmhost-worker", "vmhost"])
  func `one program beside an app is enough for its plugins`(program: String) async throws {
    try await TemporaryDirectory.with { folder in
      let files = try [
        BuildProducts.executable("embedding-app"), BuildProducts.executable(program),
        BuildProducts.library("movies"),
      ]
      let output = try await ChildProcess.run(
        "/bin/sh",
        ["-c", "/bin/cp \"$@\" && exec ./embedding-app jaws", "sh"] + files + [folder.path],
        environment: ["PATH": "/nowhere", "SWIFT_BACKTRACE": "enable=no"],
        workingDirectory: folder.path)
      #expect(output.stderr == "")
      #expect(output.stdout.hasSuffix("Jaws – Release Date: Jun 20, 1975\n"))
      #expect(output.status == .success)
    }
  }

  @Test func `the program of workers says what it is`() async throws {
    let output = try await ChildProcess.run(
      BuildProducts.executable("vmhost-worker"), ["run", "movies.so"], environment: [:])
    #expect(
      output.stderr
        == "vmhost-worker: apps that use HostCore start it, for each confined plugin.\n"
    )
    #expect(output.stdout == "")
    #expect(output.status == .exited(2))
  }

  @Test func `an app without a program for workers is told where to put it`() async throws {
    try await TemporaryDirectory.with { folder in
      let app = folder.file("app")
      // Copied by another process: what this one has open for writing, a child of another test
      // may have too, and then it can't be run.
      let output = try await ChildProcess.run(
        "/bin/sh",
        [
          "-c", "/bin/cp \"$1\" \"$2\" && exec \"$2\" jaws", "sh",
          try BuildProducts.executable("embedding-app"), app,
        ],
        environment: ["PATH": "/nowhere", "SWIFT_BACKTRACE": "enable=no"])
      #expect(
        output.stderr.contains(
          """
          could not find the program that runs plugins: neither "vmhost-worker" nor "vmhost" is in \
          \(folder.path), beside this executable, and "vmhost" isn't in a folder of PATH. Put one \
          there, name it with the variable VMHOST, or in the code, as in \
          .confined(worker: "/opt/vmhost").
          """))
      #expect(output.stdout == "")
      #expect(output.status != .success)
    }
  }

  @Test func `the example in the documentation is the one that is built`() throws {
    let file = "Examples/EmbeddingApp/main.swift"
    let source = try Repository.text(file)
    let page = try Repository.text("Documentation/Embedding.md")
    #expect(page.contains("<!-- file: \(file) -->\n```swift\n\(source)```\n"))
    #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count <= 42)
  }

  @Test func `every Swift example in Embedding.md is code that is compiled`() throws {
    let sources = try [
      "Examples/EmbeddingApp/main.swift", "Tests/EmbeddingTests/EmbeddingExamples.swift",
    ].map(Repository.text)
    let examples = try Repository.text("Documentation/Embedding.md").split(separator: "```swift\n")
      .dropFirst().compactMap { $0.split(separator: "```").first }
    #expect(examples.count >= 3)
    for example in examples {
      #expect(sources.contains { $0.contains(example) }, "\(example)")
    }
  }
}

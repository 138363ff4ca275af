import Foundation
import TestSupport
import Testing

/// `vmhost new`: what it makes, and what it refuses.
struct NewCommandTests {
  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  @Test func `makes a project, and says how to go on`() async throws {
    try await TemporaryDirectory.with { folder in
      let vmhost = try BuildProducts.executable("vmhost")
      let files = [
        ".github/workflows/test.yml", ".gitignore", "Makefile", "README.md",
        "Transcripts/counting.vmt", "compile_flags.txt", "include/vm_helper.h",
        "include/vm_plugin.h", "src/counter.c",
      ]
      try await VMHostRun.expect(
        ["new", "my-cart", "--language", "c"], workingDirectory: folder.path,
        stdout: """
          Made my-cart:
          \(files.map { "  \($0)" }.joined(separator: "\n"))

          Next:
            cd my-cart
            make
            \(vmhost) run build/my-cart.so
            \(vmhost) test Transcripts --plugin-path build

          """)
      let made = try Self.files(in: folder.file("my-cart")).filter { path in
        !["include", "src", "Transcripts", ".github", ".github/workflows"].contains(path)
      }
      #expect(made == files)
      #expect(try Self.files(in: folder.path).filter { !$0.hasPrefix("my-cart") } == [])
    }
  }

  // To Swift, a quote and an accent are one character.
  @Test(arguments: ["it's", "it'\u{301}s", "~x", "~\u{301}x"])
  func `a shell finds the project as it is told`(parent: String) async throws {
    try await TemporaryDirectory.with { folder in
      try FileManager.default.createDirectory(
        atPath: folder.file(parent), withIntermediateDirectories: false)
      let output = try await VMHostRun.output(
        ["new", "cart", "--language", "c", "--folder", parent], workingDirectory: folder.path)
      let line = try #require(output.lines.first { $0.hasPrefix("  cd ") })
      let found = try await ChildProcess.run(
        "/bin/sh", ["-c", "\(line) && pwd"], workingDirectory: folder.path)
      #expect(found.stdout.hasSuffix("/\(parent)/cart\n"), "\(line): \(found.stderr)")
    }
  }

  @Test(arguments: [
    ("c", "include/vm_plugin.h", "Sources/PluginABI/include/vm_plugin.h"),
    ("c", "include/vm_helper.h", "Examples/plugins/c/vm_helper.h"),
    ("cpp", "include/vm_helper.h", "Examples/plugins/c/vm_helper.h"),
    ("rust", "src/vm.rs", "Examples/plugins/rust/src/vm.rs"),
  ])
  func `a project has the files of the examples`(
    _ language: String, file: String, source: String
  ) async throws {
    try await TemporaryDirectory.with { folder in
      _ = try await VMHostRun.output(
        ["new", "cart", "--language", language, "--folder", folder.path])
      let made = try String(contentsOfFile: folder.file("cart/\(file)"), encoding: .utf8)
      #expect(try made == Repository.text(source))
    }
  }

  @Test(arguments: [
    ("my-cart", "MyCart", "my_cart"), ("a", "A", "a"), ("MyCart", "MyCart", "mycart"),
    ("a_b--c9-", "ABC9", "a_b__c9_"), (String(repeating: "x", count: 64), nil, nil),
  ])
  func `module and crate are called by the name`(
    _ name: String, module: String?, crate: String?
  ) async throws {
    try await TemporaryDirectory.with { folder in
      let path = try Repository.root()
      for (language, more) in [("swift", ["--path", path]), ("rust", [])] {
        let made = folder.file(language)
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: false)
        let output = try await VMHostRun.output(
          ["new", name, "--language", language, "--folder", made] + more)
        #expect(output.status == .success, "\(output.stderr)")
      }
      if let module {
        #expect(try Self.files(in: folder.file("swift/\(name)/Sources")).first == module)
      }
      if let crate {
        let cargo = try String(
          contentsOfFile: folder.file("rust/\(name)/Cargo.toml"), encoding: .utf8)
        #expect(cargo.contains("[lib]\nname = \"\(crate)\"\n"))
      }
    }
  }

  private static let rule =
    "a name begins with a letter, and has letters (A to Z), digits, \"-\" and \"_\" only, "
    + "at most 64."

  @Test(arguments: [
    "", "2048", "-", "_a", "..", ".", "my cart", "größe", "a.b", "a\u{1b}[31m", "a\nb", "é",
    String(repeating: "x", count: 65),
  ])
  func `refuses a name that files and languages can't have`(_ name: String) async throws {
    try await TemporaryDirectory.with { folder in
      let shown = name.replacing("\u{1b}", with: "\\u{1B}").replacing("\n", with: "\\n")
      let output = try await VMHostRun.output(["new", "--", name], workingDirectory: folder.path)
      #expect(output.stderr.hasSuffix("can't be the name of a project: \(Self.rule)\n"))
      #expect(output.stderr.hasPrefix("vmhost: \"\(shown.prefix(1))"), "\(output.stderr)")
      #expect(output.stdout == "")
      #expect(output.status == .exited(2))
      #expect(try Self.files(in: folder.path) == [])
    }
  }

  private static let mistakes: [([String], String)] = [
    (
      ["a/b"],
      "\"a/b\" can't be the name of a project: \(rule) The folder that it goes into is"
        + " --folder DIR."
    ),
    (
      ["switch"],
      "\"switch\" can't be the name of a project: it is a reserved word of Swift, C, C++ or Rust."
        + " \"my-switch\" can."
    ),
    (
      ["const-cast", "--language", "rust"],
      "\"const-cast\" can't be the name of a project: it is a reserved word of Swift, C, C++ or"
        + " Rust."
        + " \"my-const-cast\" can."
    ),
    (
      ["hello", "--url", "https://example.com/vmhost.git", "--version", "1.0.0"],
      "\"hello\" can't be the name of a project in Swift: vmhost's package or Swift has \"hello\""
        + " already. \"my-hello\" can."
    ),
    (
      ["view-modelKit", "--url", "https://example.com/vmhost.git", "--version", "1.0.0"],
      "\"view-modelKit\" can't be the name of a project in Swift: vmhost's package or Swift has"
        + " \"ViewModelKit\" already. \"my-view-modelKit\" can."
    ),
    (["full"], "The folder \"full\" exists already and isn't empty. Choose another name."),
    (["file"], "The file \"file\" exists already."),
    (["link"], "The file \"link\" exists already."),
    (["x", "--folder", "nowhere"], "--folder: there is no folder \"nowhere\"."),
    (["x", "--folder", "file"], "--folder: there is no folder \"file\"."),
    (
      ["x", "--path", "full"],
      "--path: \"full\" isn't the package of vmhost: it has no Package.swift with"
        + " Sources/ViewModelKit beside it."
    ),
    (
      ["x", "--path", "nowhere"],
      "--path: \"nowhere\" isn't the package of vmhost: it has no Package.swift with"
        + " Sources/ViewModelKit beside it."
    ),
    (
      ["x", "--path", "full", "--url", "https://example.com/vmhost"],
      "--path names a folder, so it can't be combined with --url or --version."
    ),
    (
      ["x", "--path", "full", "--version", "1.0.0"],
      "--path names a folder, so it can't be combined with --url or --version."
    ),
    (["x", "--version", "1.0.0"], "--version needs the repository that has it: --url URL."),
    (
      ["x", "--url", "https://example.com/vmhost"],
      "--url needs the version to take, as in --version 1.0.0."
    ),
    (
      ["x", "--url", "vmhost", "--version", "1.0.0"],
      "--url: \"vmhost\" isn't the URL of a repository, such as https://example.com/vmhost.git."
    ),
    (
      ["x", "--url", "https://example.com/a\"b", "--version", "1.0.0"],
      "--url: \"https://example.com/a\"b\" isn't the URL of a repository, such as"
        + " https://example.com/vmhost.git."
    ),
    (
      ["x", "--url", "https://example.com/vmhost", "--version", "main"],
      "--version: \"main\" isn't a version such as 1.0.0."
    ),
    (
      ["x", "--url", "https://example.com/vmhost", "--version", "1.0"],
      "--version: \"1.0\" isn't a version such as 1.0.0."
    ),
    (
      ["x", "--language", "c", "--path", "full"],
      "--path is for a project in Swift; one in c has all that it needs."
    ),
    (
      ["x", "--language", "rust", "--url=a"],
      "--url is for a project in Swift; one in rust has all that it needs."
    ),
    (
      ["x", "--language", "rst"],
      "\"--language\" can't be \"rst\"; it is \"swift\", \"c\", \"cpp\" or \"rust\". Did you mean"
        + " \"rust\"?\nSee \"vmhost new --help\"."
    ),
    ([], "\"vmhost new\" needs NAME.\nSee \"vmhost new --help\"."),
    (
      ["x", "y"],
      "\"vmhost new\" takes one NAME, but \"y\" came too.\nSee \"vmhost new --help\"."
    ),
  ]

  @Test(arguments: mistakes)
  func `says what is wrong, and makes nothing`(
    _ arguments: [String], message: String
  ) async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write("", to: "full/.hidden")
      try folder.write("", to: "file")
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("link"), withDestinationPath: "nothing")
      let before = try Self.files(in: folder.path)
      try await VMHostRun.expect(
        ["new"] + arguments, workingDirectory: folder.path, stderr: "vmhost: \(message)\n",
        status: 2)
      #expect(try Self.files(in: folder.path) == before)
    }
  }

  @Test func `leaves nothing where it can't write all of it`() async throws {
    try await TemporaryDirectory.with { folder in
      let vmhost = try BuildProducts.executable("vmhost")
      // The headers are larger than files may become.
      let output = try await ChildProcess.run(
        "/bin/sh", ["-c", "trap '' XFSZ; ulimit -f 4; exec '\(vmhost)' new x --language c"],
        workingDirectory: folder.path)
      #expect(output.stderr == "vmhost: could not make the folder \"x\": File too large.\n")
      #expect(output.status == .exited(2))
      #expect(try Self.files(in: folder.path) == [])
    }
  }

  @Test func `takes an empty folder`() async throws {
    try await TemporaryDirectory.with { folder in
      try FileManager.default.createDirectory(
        atPath: folder.file("cart"), withIntermediateDirectories: false)
      let output = try await VMHostRun.output(
        ["new", "cart", "--language", "rust"], workingDirectory: folder.path)
      #expect(output.status == .success, "\(output.stderr)")
      #expect(try Self.files(in: folder.file("cart")).contains("src/lib.rs"))
    }
  }

  /// What a project's manifest says of vmhost.
  private static func dependency(
    _ arguments: [String], in folder: TemporaryDirectory
  ) async throws -> String {
    let output = try await VMHostRun.output(
      ["new", "cart"] + arguments, workingDirectory: folder.path)
    try #require(output.status == .success, "\(output.stderr)")
    let manifest = try String(contentsOfFile: folder.file("cart/Package.swift"), encoding: .utf8)
    return manifest.split(separator: "\n").filter { $0.contains("VMHOST_PACKAGE") }
      .joined(separator: "\n")
  }

  @Test func `a path that is given relative stays relative, from the project`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write("", to: "a \"clone\"\\/Package.swift")
      try folder.write("", to: "a \"clone\"\\/Sources/ViewModelKit/Kit.swift")
      let line = try await Self.dependency(["--path", "a \"clone\"\\"], in: folder)
      #expect(line.hasSuffix("?? \"../a \\\"clone\\\"\\\\\")"), "\(line)")
    }
  }

  @Test func `without a path it is the clone that vmhost was built in`() async throws {
    try await TemporaryDirectory.with { folder in
      let line = try await Self.dependency([], in: folder)
      #expect(try line.hasSuffix("?? \"\(Repository.root())\")"), "\(line)")
    }
  }

  @Test func `a vmhost elsewhere asks where the kit is`() async throws {
    try await TemporaryDirectory.with { folder in
      // A copy that this process wrote could be open in another child, and wouldn't start then.
      let output = try await ChildProcess.run(
        "/bin/sh", ["-c", "cp '\(BuildProducts.executable("vmhost"))' . && ./vmhost new cart"],
        workingDirectory: folder.path)
      #expect(
        output.stderr == """
          vmhost: This vmhost isn't in the folder that it was built in, so say where its package \
          is: --path DIR, a clone, or --url URL --version V.

          """)
      #expect(output.status == .exited(2))
      #expect(try Self.files(in: folder.path) == ["vmhost"])
    }
  }

  @Test func `SwiftPM could not tell a project from a clone in a folder of its name`() async throws
  {
    try await TemporaryDirectory.with { folder in
      try folder.write("", to: "clone/Cart/Package.swift")
      try folder.write("", to: "clone/Cart/Sources/ViewModelKit/Kit.swift")
      try await VMHostRun.expect(
        ["new", "cart", "--path", "clone/Cart"], workingDirectory: folder.path,
        stderr: """
          vmhost: The clone of vmhost is in a folder "Cart", too, and SwiftPM can't tell the two \
          apart. Give the project another name.

          """, status: 2)
    }
  }
}

import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// What completion scripts are told.
struct CompleteCommandTests {
  private static let kinds = ["value", "part", "files", "folders", "variables"]

  /// What may stand at the cursor, without the descriptions.
  private func offers(
    _ before: String, _ after: String = "", in folder: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> [String] {
    let output = try await VMHostRun.output(
      ["complete", "--", before, after], environment: environment, workingDirectory: folder)
    #expect(output.status == .success)
    #expect(output.stderr == "")
    return output.lines.compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard Self.kinds.contains(String(fields[0])) else { return nil }
      return fields[0] == "value" ? String(fields[1]) : fields.prefix(2).joined(separator: " ")
    }
  }

  @Test func `all commands for people are offered, and help`() async throws {
    let names = CommandTable.vmhost.visibleCommands.map(\.name)
    #expect(try await offers("vmhost ") == names + ["help"])
    #expect(names.contains("run") && !names.contains("complete"))
  }

  @Test(arguments: CommandTable.vmhost.visibleCommands.map(\.name))
  func `each option of a command is offered`(_ name: String) async throws {
    let command = try #require(CommandTable.vmhost.commands.first { $0.name == name })
    let labels = command.options.flatMap { option in
      ["--\(option.name)"]
        + (option.isValueOptional
          ? option.allowed.filter { !$0.isEmpty }.map { "--\(option.name)=\($0)" } : [])
    }
    #expect(try await offers("vmhost \(name) -") == labels)
  }

  @Test func `each closed set of values is offered`() async throws {
    for command in CommandTable.vmhost.visibleCommands {
      for option in command.options where !option.allowed.isEmpty {
        let found = try await offers("vmhost \(command.name) --\(option.name)=")
        #expect(found == option.allowed.filter { !$0.isEmpty }, "\(command.name) \(option.name)")
      }
    }
  }

  /// A value of a new kind has to be thought of here.
  @Test func `nothing is offered only for values that nobody could know`() async throws {
    var unknown: Set<String> = []
    for command in CommandTable.vmhost.visibleCommands {
      for option in command.options {
        guard let placeholder = option.placeholder, option.allowed.isEmpty else { continue }
        let line = "vmhost \(command.name) movies.so --\(option.name) "
        if try await offers(line).isEmpty { unknown.insert(placeholder) }
      }
    }
    #expect(
      unknown == [
        "COMMAND", "DURATION", "I/N", "ISO8601", "N", "NAME", "PERCENT", "SIZE", "URL", "VERSION",
      ])
  }

  @Test(
    arguments: [
      ("vmhost lock ", "files *.so"), ("vmhost test ", "files *.vmt"),
      ("vmhost replay ", "files *.vmt"), ("vmhost merge-reports ", "files *"),
      ("vmhost run --record ", "files *"), ("vmhost run --plugin-path ", "folders"),
      ("vmhost run --secret a=", "variables"), ("vmhost run --store ", "memory"),
      ("vmhost run x.so 2> ", "files *"), ("vmhost run x.so <", "files *"),
      ("vmhost run x.so 2>a --clock ", "live"), ("vmhost test -j ", nil),
      ("vmhost test -vj ", nil), ("vmhost test -vj 4 ", "files *.vmt"),
      ("vmhost test -j4 ", "files *.vmt"), ("vmhost run --seed ", nil), ("vmhost new ", nil),
      ("vmhost new a ", "--language"), ("vmhost new a b", nil), ("vmhost nothing ", nil),
      ("vmhost run --format --clock ", "live"), ("vmhost run --format --f", "--view-model"),
      ("vmhost run --watch=", nil), ("vmhost run --nothing=", nil), ("vmhost help run ", nil),
      ("vmhost run 'a", "files *.so"), ("vmhost run a\\", "files *.so"),
      ("vmhost run \"a\\\"b", "files *.so"),
      ("vmhost run \"a\nb", nil), ("vmhost run a\tb\t--clock ", "live"), ("", "new"),
    ] as [(String, String?)])
  func `a line has its offers`(_ line: String, first: String?) async throws {
    #expect(try await offers(line).first == first)
  }

  @Test func `libraries are offered by the names by which they are found`() async throws {
    try await TemporaryDirectory.with { folder in
      for name in ["libone.so", "two.so", "three.txt"] { try folder.write("", to: "p/\(name)") }
      let found = try await offers("vmhost run --plugin-path \(folder.path)/p ")
      #expect(found.contains("one.so") && found.contains("two.so") && found.contains("movies.so"))
      #expect(!found.contains("three.txt") && !found.contains("libone.so"))
      let home = try await offers(
        "vmhost run --plugin-path ~/p ", environment: ["HOME": folder.path])
      #expect(home.contains("one.so"))
      #expect(try await offers("vmhost run ./o") == ["files *.so"])
    }
  }

  @Test func `a plugin is found at home, and behind the cursor`() async throws {
    try await TemporaryDirectory.with { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("my film.so"), withDestinationPath: try BuildProducts.library("movies"))
      let environment = ["HOME": folder.path]
      let models = ["movies.list", "movies.details", "movies.suggestions"]
      let line = "vmhost run --view-model "
      #expect(try await offers(line, " ~/my\\ film.so", environment: environment) == models)
      #expect(try await offers(line + "x", "y ~/'my film.so'", environment: environment) == models)
      #expect(try await offers(line, " my.so film.so", environment: environment) == [])
    }
  }

  @Test func `what can't be loaded has no view models`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write("no library", to: "text.so")
      let status = unsafe mkfifo(folder.file("pipe.so"), 0o600)
      try #require(status == 0)
      for name in ["text.so", "pipe.so", "missing.so", ".", "/dev/zero", "brokenfixture.so"] {
        let line = "vmhost run \(name) --view-model "
        let found = try await offers(line, in: folder.path)
        #expect(found == (name == "brokenfixture.so" ? ["broken"] : []), "\(name)")
      }
      let policy = ["VMHOST_SANDBOX": "nonsense"]
      #expect(
        try await offers("vmhost run movies.so --view-model ", environment: policy) == [])
    }
  }

  @Test func `a plugin that hangs while it is loaded is given up`() async throws {
    try await TemporaryDirectory.with { folder in
      let source = try folder.write(
        "__attribute__((constructor)) static void hang(void) { for (;;) {} }\n", to: "hang.c")
      let library = folder.file("hang.so")
      try await Compiler.c.run(["-shared", "-fPIC", source, "-o", library])
      #expect(try await offers("vmhost run \(library) --view-model ") == [])
    }
  }

  @Test(
    arguments: [
      ("output:echo.spoken=", ["said"]), ("input:echo.tell=", ["say"]),
      ("view-model:parrot=", ["echo"]), ("output:nothing.spoken=", []), ("handle:a=", []),
      ("output", ["part input:", "part output:", "part view-model:", "part handle:"]),
    ])
  func `a new name is one that a plugin of the transcripts has`(
    _ rename: String, names: [String]
  ) async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write("vmt 1\n@plugin echo.so\n@open echo\n", to: "t/a.vmt")
      try folder.write("@plugin missing.so\n", to: "t/b.vmt")
      let line = "vmhost test t --rename \(rename)"
      #expect(try await offers(line, in: folder.path) == names)
    }
  }

  @Test func `a plugin that isn't the locked one isn't loaded`() async throws {
    try await TemporaryDirectory.with { folder in
      let lock = try await VMHostRun.output(["lock", "echo.so"])
      let path = try folder.write(lock.stdout, to: "plugins.lock")
      let line = "vmhost run echo.so movies.so --lock \(path) --view-model "
      #expect(try await offers(line) == ["echo"])
    }
  }
}

import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// The pages that `vmhost manual` writes.
struct ManualTests {
  private static let pages = ManualPage.all(of: .vmhost)

  @Test func `each command has a page, which has each of its options and examples`() async throws {
    try await TemporaryDirectory.with { folder in
      try await VMHostRun.expect(["manual", folder.path])
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      let commands = CommandTable.vmhost.visibleCommands
      #expect(names == (["vmhost.1"] + commands.map { "vmhost-\($0.name).1" }).sorted())
      let overview = try folder.text("vmhost.1")
      for command in commands {
        #expect(overview.contains("\n\\fB\(RoffText.escaped("vmhost-\(command.name)"))\\fR(1)\n"))
        let page = try folder.text("vmhost-\(command.name).1")
        for option in command.options {
          #expect(page.contains(RoffText.escaped("--\(option.name)") + "\\fR"), "\(option.name)")
        }
        for example in command.examples {
          #expect(page.contains("\n\(RoffText.escaped(example.value))\n"))
        }
      }
    }
  }

  @Test(
    arguments: [
      ["mandoc", "-T", "lint", "-W", "style"], ["man", "--warnings=all", "-E", "UTF-8", "-l"],
    ])
  func `no formatter of pages warns`(_ command: [String]) async throws {
    guard let program = Programs.path(of: command[0]) else {
      print("\(command[0]) is missing: pages of the manual aren't tried with it")
      return
    }
    try await TemporaryDirectory.with { folder in
      for page in Self.pages {
        let path = try folder.write(page.text, to: "\(page.name).1")
        let output = try await ChildProcess.run(program, command.dropFirst() + [path])
        #expect(output.status == .success, "\(output.stdout)")
        #expect(output.stderr == "")
        if command[0] == "man" {
          #expect(output.stdout.contains("EXIT STATUS"))
          // Nothing was taken for a macro, or lost.
          for command in CommandTable.vmhost.commands where page.name == "vmhost-\(command.name)" {
            for example in command.examples { #expect(output.stdout.contains(example.value)) }
          }
        }
      }
    }
  }

  @Test func `pages are the same on each day, and have the version and its date`() async throws {
    for page in Self.pages {
      let head = page.text.split(separator: "\n")[0]
      #expect(
        head == """
          .TH \(page.name.uppercased()) 1 \(HostVersion.date) "vmhost \(HostVersion.number)" \
          "User Commands"
          """)
      #expect(page.text.utf8.allSatisfy { $0 < 0x80 })
    }
    #expect(HostVersion.date.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
  }

  @Test func `the exit statuses are those of CommandLine.md`() throws {
    let document = try Repository.text("Documentation/CommandLine.md")
    let statuses = document.matches(of: #/(?m)^\| (\d+) \| /#).map { $0.output.1 }
    #expect(statuses.compactMap { Int32($0) } == Outcome.documented.map(\.status))
  }

  @Test(
    arguments: [
      ("/nowhere/at/all", "there is no folder \"/nowhere/at/all\" to write the pages into.", 2),
      ("/etc/passwd", "there is no folder \"/etc/passwd\" to write the pages into.", 2),
      ("/proc/self", "could not write \"/proc/self/vmhost.1\": No such file or directory.", 74),
    ])
  func `pages need a folder`(_ folder: String, message: String, status: Int32) async throws {
    try await VMHostRun.expect(["manual", folder], stderr: "vmhost: \(message)\n", status: status)
  }

  @Test(
    arguments: [
      (["completions"], "\"vmhost completions\" needs SHELL."),
      (["completions", "fish"], "\"SHELL\" can't be \"fish\"; it is \"bash\" or \"zsh\"."),
      (
        ["completions", "zhs"],
        "\"SHELL\" can't be \"zhs\"; it is \"bash\" or \"zsh\". Did you mean \"zsh\"?"
      ),
      (
        ["completions", "zsh", "zsh"],
        "\"vmhost completions\" takes one SHELL, but \"zsh\" came too."
      ),
    ])
  func `completions are for shells that there are scripts for`(
    _ arguments: [String], message: String
  ) async throws {
    try await VMHostRun.expect(
      arguments, stderr: "vmhost: \(message)\nSee \"vmhost completions --help\".\n", status: 2)
  }
}

extension TemporaryDirectory {
  fileprivate func text(_ name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }
}

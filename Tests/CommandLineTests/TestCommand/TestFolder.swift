import Foundation
import HostCore
import TestSupport
import Testing

@testable import vmhost

/// A folder with transcripts, in which a test runs `vmhost test`.
struct TestFolder {
  let folder: TemporaryDirectory
  var path: String { folder.path }

  /// Makes a folder for `body` alone, with these files.
  static func with<Result>(
    _ files: [String: String] = [:], _ body: (TestFolder) async throws -> Result
  ) async throws -> Result {
    try await TemporaryDirectory.with { folder in
      for (name, text) in files { try folder.write(text, to: name) }
      return try await body(TestFolder(folder: folder))
    }
  }

  func file(_ name: String) -> String { folder.file(name) }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }

  func names(_ name: String = ".") throws -> [String] { try Files.names(in: file(name)).sorted() }

  /// Runs `vmhost test` here; times are left out of what it prints.
  func test(
    _ arguments: [String], environment: [String: String] = [:], showsSlowSteps: Bool = false
  ) async throws -> Output {
    Output(
      try await VMHostRun.output(
        ["test"] + arguments, environment: environment, workingDirectory: path,
        showsSlowSteps: showsSlowSteps))
  }

  /// Runs `vmhost test` here, at a terminal.
  func terminal(
    _ arguments: [String], columns: Int = 80, rows: Int = 24, _ more: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    let environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color"].merging(more) { $1 }
    try terminal.start(
      "/usr/bin/env",
      ["--chdir=\(path)", BuildProducts.executable("vmhost"), "test"] + arguments,
      environment: environment)
    return terminal
  }

  struct Output {
    let stdout: String
    let stderr: String
    let status: TestSupport.ExitStatus

    init(_ output: ChildProcess.Output) {
      stdout = output.stdout.replacing(/[0-9]+\.[0-9]{3}s/, with: "TIME")
      stderr = output.stderr
      status = output.status
    }

    /// The last line, which counts the verdicts.
    var summary: String { stdout.split(separator: "\n").last.map(String.init) ?? "" }
    /// What was said besides how far it is.
    var complaints: String {
      stderr.split(separator: "\n").filter { !$0.hasPrefix("[") }.joined(separator: "\n")
    }
  }

  /// The results in a file of test events.
  func events(_ name: String) throws -> RecordedRun { try TestEventsReader.read(file(name)) }
}

/// Transcripts that end in each way there is.
enum Sample {
  static func echo(_ value: Int = 1, expecting expected: Int? = 1) -> String {
    """
    vmt 1
    @plugin echo.so
    @open echo
    > say \(value)
    \(expected.map { "< said \($0)\n" } ?? "")
    """
  }

  static let passed = echo()
  static let failed = echo(1, expecting: 2)
  static let unverified = echo(1, expecting: nil)
  static let invalid = "vmt 1\n@plugn echo.so\n"
  static let notLoaded = "vmt 1\n@plugin nosuch.so\n@open echo\n> say 1\n< said 1\n"
  static let crashed = broken("crash-in-send")
  static let brokenContract = broken("unknown-kind")
  /// With a time limit for steps.
  static let hung = broken("hang-in-send")
  /// With a time limit for all of it.
  static let endless = """
    vmt 1
    @plugin kitfixture.so
    @open kit.ticker
    > start
    + 1000000h
    < ticked 1

    """
  /// If it is played twice.
  static let nondeterministic = """
    vmt 1
    @plugin determinismfixture.so
    @open sources.surroundings
    > setOrder

    """
  /// The plugin's own code throws.
  static let faulty = """
    vmt 1
    @plugin kitfixture.so
    @open kit.faults
    > throwNow

    """

  static func broken(_ fault: String) -> String {
    """
    vmt 1
    @plugin brokenfixture.so
    @seed 1
    @open broken {"fault":"\(fault)","key":null}
    < info {
        "config": {
          "fault": "\(fault)",
          "key": null
        },
        "epoch": 0,
        "locale": "en_US",
        "seed": 10451216379200822465,
        "time": 0,
        "timeZone": "UTC"
      }
    < second 2
    > go
    < rang

    """
  }
}

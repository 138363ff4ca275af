import Foundation
import HostShims
import TestSupport
import Testing

/// Each row of the table in `Documentation/Determinism.md` is tried.
@Suite(.enabled(if: host_is_sanitized() == 0)) struct DeterminismTableTests {
  private enum Trial: Sendable {
    /// These lines lead to the same in every run.
    case same(String, [String])
    /// Runs may differ, and `--repeat` finds that.
    case differs(String)
    /// Each of these inputs of `confined.acts` ends the session, and the message has these words.
    case ends([String], String)
    /// Each of them comes back, and a log line has these words.
    case fails([String], String)
    /// No test can show it on every machine.
    case unpromised
  }

  private static let trials: [(what: String, trial: Trial)] = [
    ("`Date()`", .same("surroundings", ["> date", "> clocks"])),
    ("`ContinuousClock`", .same("surroundings", ["> clocks"])),
    ("`clock`", .same("surroundings", ["> clocks"])),
    ("`SystemRandomNumberGenerator`", .same("surroundings", ["> random", "> uuid"])),
    ("`rand`", .same("surroundings", ["> random"])),
    ("`Task`", .same("concurrency", ["> task", "> detached", "> group", "> actors", "+ 2s"])),
    ("`Task.sleep`", .same("concurrency", ["> sleep 300", "+ 300ms"])),
    ("the order of a `Set`", .same("surroundings", ["> setOrder"])),
    ("locale", .same("surroundings", ["> place"])),
    (
      "files:",
      .fails(["readData", "readString", "listFolder", "openFile", "fileHandle"], "has no files")
    ),
    ("`UserDefaults`", .fails(["defaults"], "use Storage")),
    ("the network: `URLSession`", .ends(["urlSession"], "has no network")),
    ("the network: sockets", .fails(["socket"], "has no network")),
    ("other processes: `Process`", .ends(["process"], "starts no process")),
    (
      "other processes: `posix_spawn`",
      .fails(["spawn", "execute", "system", "pipe"], "starts no process")
    ),
    (
      "threads: `Thread`",
      .ends(["thread", "globalQueue", "ownQueue", "concurrentPerform"], "has one thread")
    ),
    ("threads: `pthread_create`", .fails(["pthread"], "has one thread")),
    ("run loops:", .ends(["runLoop", "timer", "asyncAfter"], "has no run loop")),
    ("`exit`", .ends(["exit", "abort", "fatal"], "while it handled the input")),
    ("addresses:", .differs("addresses")),
    ("the process id", .differs("processID")),
    ("`rdtsc`", .unpromised),
    ("`sin`", .same("surroundings", ["> doubles"])),
    ("`static var`", .same("surroundings", ["> globals", "> globals"])),
    ("`sleep`", .ends(["asleep 60000"], "hangs: it did not return within 300ms")),
  ]

  @Test func `the table has the rows that are tried`() throws {
    let page = try Repository.text("Documentation/Determinism.md")
    let table = page.split(separator: "\n").drop { !$0.hasPrefix("| what | in a worker") }
      .prefix { $0.hasPrefix("|") }.dropFirst(2)
    #expect(table.count == Self.trials.count)
    for (row, trial) in zip(table, Self.trials) {
      #expect(row.hasPrefix("| \(trial.what)"), "\(row)")
      let how = row.split(separator: "|").last.map { $0.split(separator: " ").first ?? "" }
      let isFitting =
        switch trial.trial {
        case .same: how == "controlled" || how == "controlled," || how == "detected"
        case .differs, .unpromised: how == "detected"
        case .ends: how == "refused" || how == "ended"
        case .fails: how == "refused"
        }
      #expect(isFitting, "\(row)")
    }
  }

  @Test(arguments: trials.indices)
  func `what the table says is so`(_ index: Int) async throws {
    switch Self.trials[index].trial {
    case .same(let viewModel, let lines): try await Self.expectSame(viewModel, lines)
    case .differs(let input): try await Self.expectDifference(input)
    case .ends(let inputs, let words): try await Self.expectEnd(inputs, words)
    case .fails(let inputs, let words): try await Self.expectFailure(inputs, words)
    case .unpromised: break
    }
  }

  private static func expectSame(_ viewModel: String, _ lines: [String]) async throws {
    let arguments =
      ["run", "determinismfixture.so", "--view-model", "sources.\(viewModel)"] + Arguments.text
      + ["--seed", "7", "--time", "2026-01-31T12:00:00Z"]
    let script = lines.map { "\($0)\n" }.joined()
    let first = try await VMHostRun.output(arguments, .text(script))
    let second = try await VMHostRun.output(
      arguments, .text(script), environment: ["TZ": "Asia/Kathmandu", "LANG": "de_DE.UTF-8"])
    #expect(!first.stdout.isEmpty)
    #expect(first.stdout == second.stdout)
    #expect(first.status == .success)
  }

  private static func expectDifference(_ input: String) async throws {
    let text = "vmt 1\n@plugin determinismfixture.so\n@open sources.surroundings\n> \(input)\n"
    try await TestFolder.with(["a.vmt": text]) { folder in
      let output = try await folder.test(["a.vmt", "--repeat", "10"])
      #expect(output.status == .exited(5), "\(output.stdout)")
    }
  }

  private static func confined(_ input: String) async throws -> ChildProcess.Output {
    let viewModel = input.hasPrefix("asleep") ? "slow" : "acts"
    return try await VMHostRun.output(
      ["run", "confinedfixture.so", "--view-model", "confined.\(viewModel)"] + Arguments.text
        + (viewModel == "slow" ? ["--step-timeout", "300ms"] : []), .text("> \(input)\n"))
  }

  private static func expectEnd(_ inputs: [String], _ words: String) async throws {
    for input in inputs {
      let output = try await confined(input)
      #expect(output.stderr.contains(words), "\(input): \(output.stderr)")
      #expect(output.stdout == "")
      #expect(output.status == .exited(6))
    }
  }

  private static func expectFailure(_ inputs: [String], _ words: String) async throws {
    for input in inputs {
      let output = try await confined(input)
      #expect(output.lines.first?.contains(words) == true, "\(input): \(output.stdout)")
      #expect(output.lines.last?.hasPrefix("< done ") == true)
      #expect(output.status == .success)
    }
  }
}

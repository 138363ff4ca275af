import Foundation
import HostCore
import TestSupport
import Testing

/// A session that the built `vmhost` recorded, and what its file says.
struct Recording {
  let text: String
  private let path: String
  private let run: ChildProcess.Output?

  /// What else the run left, if it is known.
  var output: ChildProcess.Output {
    guard let run else { preconditionFailure("A terminal has no outputs to compare.") }
    return run
  }

  /// Runs vmhost with `--record` in a folder of its own.
  static func of(
    _ arguments: [String], _ input: ChildProcess.Input, environment: [String: String] = [:],
    in directory: TemporaryDirectory, as name: String = "a.vmt"
  ) async throws -> Recording {
    let output = try await VMHostRun.output(
      arguments + ["--record", name], input, environment: environment,
      workingDirectory: directory.path)
    return try Recording(output, directory.file(name))
  }

  init(_ run: ChildProcess.Output? = nil, _ path: String) throws {
    self.run = run
    self.path = path
    text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
  }

  /// What follows the lines that say of which run it is.
  var body: String {
    let marker = "\n@plugin "
    return text.range(of: marker).map { String(text[$0.lowerBound...].dropFirst()) } ?? text
  }

  /// The first lines of a recording by the arguments below.
  static func head(
    _ plugins: String..., clock: String = "virtual", locale: String = "en_US",
    isInProcess: Bool = false
  ) throws -> String {
    if isInProcess {
      let details = plugins.map { "\"\($0)\":{\"version\":\"1.0.0\"}" }
      return "vmt 1\n@recorded {\"clock\":\"\(clock)\",\"cpu\":\"\(Processor.kind)\",\"plugins\":{"
        + details.joined(separator: ",") + "},\"vmhost\":\"0.2.0\"}\n"
    }
    let details = try plugins.map { plugin in
      """
            "\(plugin)": {
              "sha256": "\(try VMHostRun.digest(of: plugin))",
              "version": "1.0.0"
            }
      """
    }
    return """
      vmt 1
      @recorded {
          "clock": "\(clock)",
          "cpu": "\(Processor.kind)",
          "plugins": {
      \(details.joined(separator: ",\n"))
          },
          "vmhost": "0.2.0"
        }
      @seed 1
      @time 2026-01-31T12:00:00Z
      @locale \(locale)
      @timezone UTC

      """
  }

  /// Text that is the same in every run.
  static let settled = [
    "--format", "text", "--clock", "virtual", "--seed", "1", "--time", "2026-01-31T12:00:00Z",
  ]

  // MARK: Replay

  /// Plays the file without any provider, and expects just what it says that is emitted.
  ///
  /// - Parameter secret: the name of the secret that its config names.
  func expectReplay(
    _ more: [String] = [], secret: String = "none",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let script = URL(fileURLWithPath: path)
    let replay = try await VMHostRun.output(
      [
        "run", "--script", script.path, "--clock", "virtual", "--format", "text", "--effect",
        "http=cat >/dev/null", "--secret", "\(secret)=SECRET",
      ] + more, environment: ["SECRET": "SECRET_\(secret)"],
      workingDirectory: script.deletingLastPathComponent().path)
    #expect(replay.status == .exited(0), sourceLocation: sourceLocation)
    // A run says in comments what a flow opens and closes, and a recording has none.
    let said = replay.stdout.split(separator: "\n").filter {
      !$0.hasPrefix("# opened ") && !$0.hasPrefix("# closed ")
    }
    let isSame = said.joined(separator: "\n") == expectations.joined(separator: "\n")
    #expect(
      isSame, "\(text)\nplayed:\n\(replay.stdout)\(replay.stderr)", sourceLocation: sourceLocation)
  }

  /// The lines with the values that go on over several of them.
  private var entries: [String] {
    var entries: [String] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("  ") {
        entries[entries.count - 1] += "\n" + line
      } else {
        entries.append(String(line))
      }
    }
    return entries
  }

  /// What the file says that is emitted.
  var expectations: [String] { entries.filter { "<?x".contains($0.first ?? " ") } }
}

/// Tests a transcript in a folder and expects that it passes.
func expectPass(
  _ name: String, in directory: TemporaryDirectory, _ options: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let output = try await VMHostRun.output(
    ["test", name] + options, workingDirectory: directory.path)
  #expect(output.status == .success, "\(output.stdout)", sourceLocation: sourceLocation)
  let hasPassed = output.stdout.hasPrefix("1 passed in ")
  #expect(hasPassed, "\(output.stdout)", sourceLocation: sourceLocation)
}

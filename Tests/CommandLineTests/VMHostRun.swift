import Foundation
import HostCore
import TestSupport
import Testing

/// Runs of the built `vmhost`, compared in all that they leave: both outputs and the exit status.
enum VMHostRun {
  /// What a test's vmhost knows of the machine, besides what the test adds.
  static let environment = ["PATH": "/usr/bin:/bin"]

  static func start(
    _ arguments: [String], environment more: [String: String] = [:],
    workingDirectory: String? = nil, input: ChildProcess.Input = .pipe
  ) throws -> ChildProcess {
    try ChildProcess(
      BuildProducts.executable("vmhost"), arguments,
      environment: environment.merging(more) { $1 }, workingDirectory: workingDirectory,
      input: input)
  }

  /// - Parameter showsSlowSteps: whether the output has what vmhost says of slow steps.
  static func output(
    _ arguments: [String], _ input: ChildProcess.Input = .null,
    environment more: [String: String] = [:], workingDirectory: String? = nil,
    showsSlowSteps: Bool = false
  ) async throws -> ChildProcess.Output {
    let output = try await ChildProcess.run(
      BuildProducts.executable("vmhost"), arguments,
      environment: environment.merging(more) { $1 }, workingDirectory: workingDirectory,
      input: input,
      // Some plugins come to their limits only after 100,000 exchanges, on a machine that may be
      // busy with other things.
      within: .seconds(300))
    #expect(try LinesSchema.shared.get().unknownLines(output.stdout) == [])
    let whole = output.asOnWholeMachine
    return showsSlowSteps ? whole : whole.asOnFastMachine
  }

  /// Runs vmhost and expects exactly this of it.
  static func expect(
    _ arguments: [String], _ input: ChildProcess.Input = .null,
    environment: [String: String] = [:], workingDirectory: String? = nil,
    stdout: String = "", stderr: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let output = try await output(
      arguments, input, environment: environment, workingDirectory: workingDirectory)
    #expect(output.stdout == stdout, sourceLocation: sourceLocation)
    #expect(output.stderr == stderr, sourceLocation: sourceLocation)
    #expect(output.status == .exited(status), sourceLocation: sourceLocation)
  }

  /// An expected output that lies beside the tests. To change one, run the command that its test
  /// names, and read what differs.
  ///
  /// It may hold `SHA256_movies` and the like, which stand for the digest of what was built.
  static func golden(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appendingPathComponent("Goldens/\(name)"), encoding: .utf8)
    guard text.contains("SHA256_movies") else { return text }
    return text.replacing("SHA256_movies", with: try digest(of: "movies"))
  }

  /// The SHA-256 of a built library, in hexadecimal.
  static func digest(of library: String) throws -> String {
    let path = try BuildProducts.library(library)
    return SHA256.digest(of: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  /// What the first line of JSON Lines says of a plugin.
  static func plugin(_ id: String) throws -> String {
    "{\"id\":\"\(id)\",\"sha256\":\"\(try digest(of: id))\",\"version\":\"1.0.0\"}"
  }
}

extension ChildProcess.Output {
  /// The output without what vmhost says of slow steps. On a loaded machine any step may be slow.
  var asOnFastMachine: Self {
    let text = stderr.replacing(/(?m)^vmhost: [^\n]*" took \d+ ms\.\n/, with: "")
    guard text != stderr else { return self }
    return Self(stdoutBytes: stdoutBytes, stderrBytes: Array(text.utf8), status: status)
  }
}

/// Arguments that many tests share.
enum Arguments {
  /// Text, and time that passes only where the input says so.
  static let text = ["--format", "text", "--clock", "virtual"]
  /// JSON Lines that are the same in every run.
  static let jsonl = [
    "--format", "jsonl", "--clock", "virtual", "--seed", "1", "--time", "2026-01-31T12:00:00Z",
  ]
  static let echo = ["run", "echo.so"] + text
  static let movies = ["run", "movies.so"] + text
  /// One view model of the fixture that is made with the kit.
  static func kit(_ viewModel: String) -> [String] {
    ["run", "kitfixture.so", "--view-model", "kit.\(viewModel)"] + text
  }
  /// The fixture that breaks its contract in the way that `fault` names.
  static func broken(_ fault: String) -> [String] {
    ["run", "brokenfixture.so", "--config", "{\"fault\":\"\(fault)\",\"key\":null}"] + text
  }
}

/// What a `movies.list` shows when it is opened.
enum FirstFrame {
  static let movies = movies(handle: "")

  /// - Parameter handle: with its dot, or empty.
  static func movies(handle: String) -> String {
    """
    < \(handle)items []
    < \(handle)isEmpty true
    < \(handle)loading "none"
    < \(handle)query ""
    < \(handle)error ""
    < \(handle)labels {
        "emptyDataTitle": "Search results",
        "errorTitle": "Error",
        "screenTitle": "Movies",
        "searchBarPlaceholder": "Search Movies"
      }

    """
  }

  static let session = """
    {"kind":"session","t":0,"schema":1,"vmhost":"0.2.0","clock":"virtual","seed":1,\
    "time":"2026-01-31T12:00:00Z","locale":"en_US","timeZone":"UTC",\
    "sandbox":"best-effort","plugins":
    """
}

import Foundation
import TestSupport
import Testing

/// A reader who does all that a tutorial says, in folders as it describes them.
///
/// Two commands are stand-ins. `swift build` copies what the repository's own build made of the
/// same sources; and where a command would use the network, `vmhost` is given a server's answer.
final class TutorialReader {
  private static let answer = #"{"items":[{"id":44838949,"name":"swift"}]}"#

  private let directory: TemporaryDirectory
  private let library: String
  private let sources: String
  /// A function of the shell, because a file that this process wrote can't always be executed: what
  /// another test starts at the same time may have it open.
  private let standIn: String
  private var setup = ""
  private var stage = ""
  private var printed = ""

  private var folder: String { directory.file(library) }

  /// - Parameters:
  ///   - library: The plugin that the reader makes, and the folder in which that is.
  ///   - sources: The folder in it that has the sources.
  init(in directory: TemporaryDirectory, library: String, sources: String) throws {
    self.directory = directory
    self.library = library
    self.sources = sources
    standIn = """
      swift() {
        [ "$*" = build ] || return 64
        mkdir -p .build/debug && cp "$BUILT" .build/debug/lib\(library).so
      }

      """
    try FileManager.default.createDirectory(
      atPath: directory.file("vmhost/.build"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("vmhost/.build/debug"),
      withDestinationPath: BuildProducts.directory)
    try directory.write(
      """
      while IFS= read -r line; do
        id=${line#*'"id":'}
        echo '{"kind":"reply","id":'"${id%%[!0-9]*}"',"value":{"status":200,"body":\(Self.answer)}}'
      done
      """, to: "answers.sh")
  }

  func follow(_ step: TutorialStep) async throws {
    switch step.kind {
    case .write: try directory.write(step.block, to: "\(library)/\(step.argument)")
    case .delete: try FileManager.default.removeItem(atPath: "\(folder)/\(step.argument)")
    case .content:
      let text = try String(contentsOfFile: "\(folder)/\(step.argument)", encoding: .utf8)
      #expect(text == step.block, "\(step.argument)")
    case .setup: setup = step.block
    case .run: try await run(step)
    case .output: #expect(Self.timeless(printed) == Self.timeless(step.block))
    case .terminal: try sit(atTerminal: step)
    }
  }

  /// Takes the folder of the repository whose build product is what the reader's sources make.
  private func reach(_ stage: String) throws {
    guard !stage.isEmpty else { return }
    self.stage = stage
    let expected = try Self.files(in: "\(Repository.root())/\(stage)")
    let found = try Self.files(in: "\(folder)/\(sources)")
    #expect(found.keys.sorted() == expected.keys.sorted(), "the files of \(stage)")
    for (name, text) in expected { #expect(found[name] == text, "\(name) of \(stage)") }
  }

  private static func files(in folder: String) throws -> [String: String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
      })
  }

  private func environment() throws -> [String: String] {
    // The folder of a stage begins with the number that its library has.
    let number = stage.split(separator: "/").last?.first.map(String.init) ?? ""
    return [
      "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "NO_COLOR": "1",
      "BUILT": try BuildProducts.library("tutorial\(number)"),
    ]
  }

  private func run(_ step: TutorialStep) async throws {
    var script = standIn + setup
    if step.argument == "live" {
      script += """
        vmhost() {
          [ "$1" = run ] && set -- "$@" --effect 'http=sh \(directory.file("answers.sh"))'
          command vmhost "$@"
        }

        """
    } else {
      try reach(step.argument)
    }
    let output = try await ChildProcess.run(
      "/bin/sh", ["-ec", script + step.block], environment: environment(),
      workingDirectory: folder)
    printed = output.stdout
    #expect(output.status == .success, "\(step.block)\(output.stdout)\(output.stderr)")
  }

  // MARK: A terminal

  /// Types what stands behind `$ ` and `> `, and sees that the screen shows the rest.
  private func sit(atTerminal step: TutorialStep) throws {
    try reach(step.argument)
    let lines = step.block.split(separator: "\n").map(String.init)
    let commands = lines.prefix { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
    let terminal = try PseudoTerminal(columns: 120, rows: 60)
    try terminal.start(
      "/bin/sh", ["-ec", "cd '\(folder)'\n\(standIn)\(setup)\(commands.joined(separator: "\n"))"],
      environment: environment())
    var shown: [String] = []
    for line in lines.dropFirst(commands.count) {
      if line.hasPrefix("> ") {
        try Self.await(shown + [">"], on: terminal)
        try terminal.write(line.dropFirst(2) + "\r")
      }
      shown.append(line)
    }
    try Self.await(shown + [">"], on: terminal)
    try terminal.write(Keys.control("D"))
    #expect(try terminal.waitForExit() == .status(0))
    #expect(terminal.screen.lines == shown)
  }

  private static func await(_ lines: [String], on terminal: PseudoTerminal) throws {
    try terminal.wait(for: lines.joined(separator: "\n")) { $0.lines == lines }
  }

  /// The text without the times that its commands took, and the digests of what was built.
  private static func timeless(_ text: String) -> String {
    text.replacing(#/ in \d+\.\d+s\n/#) { _ in " in 0.000s\n" }
      .replacing(#/\nsha256 [0-9a-f]+\n/#) { _ in "\nsha256 …\n" }
  }
}

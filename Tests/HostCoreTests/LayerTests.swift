import Foundation
import RegexBuilder
import Testing

/// Each folder of a module uses only types of the folders above it. Documentation/Architecture.md
/// has the same lists as a picture.
struct LayerTests {
  static let modules: [Layers] = [
    Layers(
      "Sources/HostCore",
      [
        ["System"], ["Plugin"], ["InProcess"], ["Worker"], ["Engine"], ["Effects"],
        ["Transcript"], ["Flow"], ["Diff"], ["Play"], ["WorkerProcess"], ["Embedding"],
      ]),
    Layers("Sources/CanonicalJSON", [["Syntax"], ["Value"], ["Coding"], ["Direct"], ["Schema"]]),
    Layers(
      "Sources/ViewModelKit",
      [
        ["Executor"], ["Events"], ["Instance"], ["Work"], ["Ports"], ["Effects"], ["Plugin"],
        ["Export"],
      ]),
    Layers(
      "Sources/vmhost",
      [
        ["Terminal"], ["CommandLine"], ["Session"], ["Reports"],
        // No command uses another one.
        [
          "Commands/Completions", "Commands/Describe", "Commands/Doctor", "Commands/Lock",
          "Commands/Manual", "Commands/MergeReports", "Commands/New", "Commands/Replay",
          "Commands/Run", "Commands/Test", "Commands/View",
        ], ["."],
      ]),
  ]

  @Test(arguments: modules)
  func `folders use only those above them`(module: Layers) throws {
    let violations = try module.read().violations
    // A failure shows a variable's value, but not that of a call that may throw.
    #expect(violations == [])
  }

  @Test(arguments: modules)
  func `every folder of a module has its place in the list`(module: Layers) throws {
    let folders = Set(try module.read().folders)
    #expect(folders == Set(module.order.joined()))
  }

  @Test func `a use against the order is found with its file and line`() {
    let low = SourceFile(
      path: "System/Clock.swift", folder: "System",
      text: "struct Clock {\n  // A Session in a comment\n  let session: Session?\n}\n")
    let high = SourceFile(
      path: "Engine/Session.swift", folder: "Engine",
      text: "public final class Session {\n  let clock: Clock\n  let name = \"Clock\"\n}\n")
    let module = LayeredSources(files: [low, high], order: [["System"], ["Engine"]])
    #expect(module.violations == ["System/Clock.swift:3: uses Session of Engine"])
  }
}

/// A module's folders, each of which may use those before it, but not its neighbours.
struct Layers: CustomTestStringConvertible {
  let root: String
  let order: [[String]]

  init(_ root: String, _ order: [[String]]) {
    self.root = root
    self.order = order
  }

  var testDescription: String { root }

  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  func read() throws -> LayeredSources {
    let walker = try #require(FileManager.default.enumerator(atPath: "\(Self.package)/\(root)"))
    var files: [SourceFile] = []
    for case let name as String in walker where name.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(Self.package)/\(root)/\(name)", encoding: .utf8)
      files.append(SourceFile(path: "\(root)/\(name)", folder: folder(of: name), text: text))
    }
    try #require(!files.isEmpty)
    return LayeredSources(files: files, order: order)
  }

  /// The longest folder of the list that the file lies in, or else its first folder.
  private func folder(of name: String) -> String {
    let listed = order.joined().filter { name.hasPrefix("\($0)/") }.max { $0.count < $1.count }
    let first = name.split(separator: "/").dropLast().first.map(String.init)
    return listed ?? first ?? "."
  }
}

struct SourceFile {
  let path: String
  let folder: String
  /// The lines without comments and the contents of strings.
  let lines: [Substring]

  init(path: String, folder: String, text: String) {
    self.path = path
    self.folder = folder
    let code = text.replacing(/"""[\s\S]*?"""/) { match in
      String(repeating: "\n", count: match.output.count { $0 == "\n" })
    }
    .replacing(/"(?:\\.|[^"\\\n])*"/, with: "\"\"").replacing(/\/\/[^\n]*/, with: "")
    lines = code.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The types that other files can use: those declared at the top level.
  var types: [String] {
    let modifier = /(?:@\w+(?:\([^)]*\))?|public|package|internal|final|indirect) +/
    let declaration = Regex {
      ZeroOrMore { modifier }
      /(?:struct|class|enum|protocol|actor|typealias) +/
      Capture { /[A-Z]\w*/ }
    }
    return lines.compactMap { $0.prefixMatch(of: declaration).map { String($0.output.1) } }
  }

  /// The capitalised words that are no member of something else, with the numbers of their lines.
  var names: [(number: Int, name: Substring)] {
    lines.enumerated().flatMap { index, line in
      line.matches(of: /(?:^|[^.\w])([A-Z]\w*)/).map { (index + 1, $0.output.1) }
    }
  }
}

struct LayeredSources {
  let files: [SourceFile]
  let order: [[String]]

  var folders: [String] { files.map(\.folder) }

  var violations: [String] {
    var owners: [Substring: String] = [:]
    for file in files { for type in file.types { owners[type[...]] = file.folder } }
    return files.flatMap { file in
      file.names.compactMap { number, name in
        guard let owner = owners[name], owner != file.folder,
          let own = order.firstIndex(where: { $0.contains(file.folder) }),
          let other = order.firstIndex(where: { $0.contains(owner) }), other >= own
        else { return nil }
        return "\(file.path):\(number): uses \(name) of \(owner)"
      }
    }
  }
}

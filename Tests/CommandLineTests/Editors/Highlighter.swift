import Foundation
import TestSupport

/// What shows transcripts in colours: a real Vim with our syntax file, or the rules of our TextMate
/// grammar. A test can do without either, and says so.
enum Highlighter: CaseIterable {
  case vim, textMate

  /// A part of a line.
  struct Span: Equatable, CustomStringConvertible {
    /// The kind, by the name that both share.
    let kind: String
    let text: String

    init(_ kind: String, _ text: String) {
      self.kind = kind
      self.text = text
    }

    var description: String { "\(kind) \(text)" }
  }

  /// How both call a kind.
  private static let names: [(kind: String, groups: [String], scope: String)] = [
    ("illegal", ["Illegal", "BadValue"], "invalid.illegal"),
    ("illegal", [], "invalid.illegal.value"),
    ("comment", ["Comment"], "comment.line.number-sign"),
    ("version", ["Version"], "keyword.control.version"),
    ("directive", ["Directive"], "keyword.control.directive"),
    ("input", ["Input"], "keyword.operator.input"),
    ("output", ["Output"], "keyword.operator.output"),
    ("request", ["Request"], "keyword.operator.request"),
    ("cancel", ["Cancel"], "keyword.operator.cancel"),
    ("answer", ["Answer"], "keyword.operator.answer"),
    ("advance", ["Advance"], "keyword.operator.advance"),
    ("port", ["Port"], "entity.name.function.port"),
    ("handle", ["Handle", "Owner", "AnsweredOwner", "NewHandle"], "variable.other.handle"),
    ("offset", ["Offset", "OutputOffset"], "constant.numeric.offset"),
    ("id", ["Asked", "Answered"], "constant.numeric.request"),
    ("effect", ["Effect"], "entity.name.type.effect"),
    ("error", ["Error"], "keyword.other.error"),
    ("duration", ["Duration"], "constant.numeric.duration"),
    ("idle", ["Idle"], "constant.language.idle"),
    ("integer", ["Integer"], "constant.numeric.integer"),
    ("argument", ["Argument", "Key"], "string.unquoted.argument"),
    ("view model", ["ViewModel"], "entity.name.type.view-model"),
    ("as", ["As"], "keyword.other.as"),
    ("name", ["Name"], "support.type.property-name"),
    ("string", ["String", "QuotedKey"], "string.quoted.double"),
    ("escape", ["Escape"], "constant.character.escape"),
    ("number", ["Number"], "constant.numeric.value"),
    ("constant", ["Constant"], "constant.language.value"),
    // What has no colour of its own.
    (
      "",
      [
        "Value", "Continuation", "JSONLine", "Dot", "OwnerDot", "AnsweredDot", "ErrorBlanks",
        "AsBlanks",
      ], "punctuation.separator.value"
    ),
  ]

  private func kind(_ name: String) -> String {
    let entry = Self.names.first { entry in
      self == .vim
        ? entry.groups.contains { "vmt\($0)" == name } : "\(entry.scope).vmt" == name
    }
    return entry?.kind ?? "unknown \(name)"
  }

  /// The coloured parts of each line of files; nil where the program is missing.
  func lines(of files: [String]) async throws -> [[[Span]]]? {
    guard let text = try await output(files) else { return nil }
    var result: [[[Span]]] = []
    var line: [Span] = []
    for row in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if row.hasPrefix("file vmt") {
        result.append([])
      } else if row.isEmpty {
        result[result.count - 1].append(line)
        line = []
      } else {
        let parts = row.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        let kind = kind(String(parts[0]))
        if !kind.isEmpty { line.append(Span(kind, String(parts[1]))) }
      }
    }
    return result
  }

  private func output(_ files: [String]) async throws -> String? {
    let root = try Repository.root()
    let scripts = "\(root)/Tests/CommandLineTests/Editors"
    switch self {
    case .vim:
      guard let vim = Programs.path(of: "vim") else {
        print("vim is missing: its syntax file isn't tried")
        return nil
      }
      return try await TemporaryDirectory.with { folder in
        let spans = folder.file("spans")
        let output = try await ChildProcess.run(
          vim, ["-es", "-i", "NONE", "-u", "\(scripts)/highlight.vim", "--"] + files,
          environment: ["PATH": "/usr/bin:/bin", "EDITORS": "\(root)/Editors/vim", "SPANS": spans],
          within: .seconds(300))
        guard let text = try? String(contentsOfFile: spans, encoding: .utf8) else {
          throw TestSupportError("vim wrote nothing: \(output.status) \(output.stderr)")
        }
        return text
      }
    case .textMate:
      guard let python = Programs.path(of: "python3") else {
        print("python3 is missing: the TextMate grammar isn't tried")
        return nil
      }
      let output = try await ChildProcess.run(
        python,
        ["-B", "\(scripts)/highlight.py", "\(root)/Editors/vmt.tmLanguage.json"] + files,
        within: .seconds(300))
      guard output.status == .success else { throw TestSupportError(output.stderr) }
      return output.stdout
    }
  }
}

import Basics

/// Names that plugins have changed, and what becomes of the transcripts that use them.
package struct TranscriptRenames: Sendable {
  /// What is wrong with a rename, in one or two sentences.
  package struct Mistake: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  enum Kind: String, CaseIterable, Sendable {
    case input, output
    case viewModel = "view-model"
    case handle

    var isPort: Bool { self == .input || self == .output }
  }

  /// The name of something in a transcript.
  struct Name: Hashable, Sendable {
    let kind: Kind
    /// The view model of a port; otherwise empty.
    let viewModel: String
    let text: String

    init(_ kind: Kind, of viewModel: String = "", _ text: String) {
      (self.kind, self.viewModel, self.text) = (kind, viewModel, text)
    }
  }

  /// What can be renamed.
  package static let kinds = Kind.allCases.map(\.rawValue)

  static let form =
    "input:VIEWMODEL.OLD=NEW, output:VIEWMODEL.OLD=NEW, view-model:OLD=NEW or handle:OLD=NEW"

  private(set) var new: [Name: String] = [:]
  /// The renames in the order in which they were given, as they were written.
  private var arguments: [(name: Name, text: String)] = []
  /// All names that the transcripts have, and how often those to rename were found.
  private var seen: Set<Name> = []
  private var matched: Set<Name> = []
  /// How many lines were rewritten.
  package private(set) var lineCount = 0
  /// The flow files of the transcripts that were rewritten.
  package private(set) var flows: Set<String> = []

  package var isEmpty: Bool { new.isEmpty }

  package init() {}

  /// - Parameter arguments: each with the form `KIND:OLD=NEW`.
  package init(_ arguments: [String]) throws(Mistake) {
    for argument in arguments {
      let (name, new) = try Self.parse(argument)
      guard self.new.updateValue(new, forKey: name) == nil else {
        throw Mistake(
          "\"\(argument)\" and an earlier --rename give this name two different new"
            + " ones.")
      }
      self.arguments.append((name, argument))
    }
  }

  /// Rewrites a transcript. All names are looked up as the transcript has them, so that two can be
  /// exchanged.
  ///
  /// - Returns: the new content. All bytes but those of the names stay the same.
  /// - Throws: if a line isn't one of a transcript, or a new handle has another use.
  package mutating func rewrite(_ source: TranscriptSource) throws(TranscriptError) -> [UInt8] {
    let bytes = source.bytes ?? []
    var walk = RenameWalk(new, source)
    let edits = try walk.edits(of: bytes)
    seen.formUnion(walk.seen)
    matched.formUnion(walk.matched)
    guard !edits.isEmpty else { return bytes }
    lineCount += walk.lineCount
    if let flow = walk.flow { flows.insert(flow) }
    var result: [UInt8] = []
    var start = 0
    for edit in edits {
      result += bytes[start..<edit.range.lowerBound] + edit.bytes
      start = edit.range.upperBound
    }
    return result + bytes[start...]
  }

  /// The message about the first rename that was for no line; nil if there is none.
  package var unmatched: String? {
    guard let (name, argument) = arguments.first(where: { !matched.contains($0.name) }) else {
      return nil
    }
    if name.kind.isPort {
      let viewModels = seen.filter { $0.kind == .viewModel }.map(\.text).sorted()
      guard viewModels.contains(name.viewModel) else {
        return "\"\(argument)\": no transcript opens the view model \"\(name.viewModel)\"."
          + NearestName.hint(for: name.viewModel, among: viewModels)
      }
    }
    let others = seen.filter { $0.kind == name.kind && $0.viewModel == name.viewModel }
    let what =
      switch name.kind {
      case .input: "sends \(name.viewModel) an input"
      case .output: "has a line for an output of \(name.viewModel) named"
      case .viewModel: "opens a view model"
      case .handle: "has a handle"
      }
    return "\"\(argument)\": no transcript \(what) \"\(name.text)\"."
      + NearestName.hint(for: name.text, among: others.map(\.text).sorted())
  }

  // MARK: Arguments

  private static func parse(_ argument: String) throws(Mistake) -> (Name, new: String) {
    let malformed = "\"\(argument)\" doesn't have one of the forms \(form)."
    guard let colon = argument.firstIndex(of: ":") else { throw Mistake(malformed) }
    let word = String(argument[..<colon])
    guard let kind = Kind(rawValue: word) else {
      throw Mistake(
        malformed + NearestName.hint(for: word, among: Kind.allCases.map(\.rawValue)))
    }
    let parts = argument[argument.index(after: colon)...]
      .split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { throw Mistake(malformed) }
    var (viewModel, old, new) = ("", parts[0], parts[1])
    if kind.isPort {
      guard let dot = old.lastIndex(of: "."), dot != old.startIndex else {
        throw Mistake(malformed)
      }
      (viewModel, old) = (String(old[..<dot]), String(old[old.index(after: dot)...]))
      // It may be written in front of the new name too.
      if new.hasPrefix("\(viewModel).") { new.removeFirst(viewModel.utf8.count + 1) }
      guard !old.isEmpty else { throw Mistake(malformed) }
    }
    try check(new, kind)
    guard new != old else { throw Mistake("\"\(argument)\": the new name is the old one.") }
    return (Name(kind, of: viewModel, old), new)
  }

  private static func check(_ name: String, _ kind: Kind) throws(Mistake) {
    let isDotted = kind == .viewModel
    let isName = name.utf8.allSatisfy { byte in
      byte > 0x20 && byte != 0x7f && ![UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(byte)
        && (isDotted || byte != UInt8(ascii: "."))
    }
    guard !isName || name.first == "@" || name.first == "{" else { return }
    throw Mistake(
      "\"\(name)\" can't be a name: a name has no spaces, \(isDotted ? "" : "dots, ")quotes,"
        + " backslashes or control characters, and doesn't begin with \"@\" or \"{\".")
  }
}

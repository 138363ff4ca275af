import Testing

/// Something that a tutorial has its reader do or see: a comment, `<!-- KIND: ARGUMENT -->`, and
/// the code block below it.
struct TutorialStep {
  enum Kind: String {
    /// The block is to be the whole of the file ARGUMENT.
    case write
    /// The file ARGUMENT goes away; there is no block.
    case delete
    /// The block is the whole of the file ARGUMENT, as commands made it.
    case content
    /// Commands that all later ones rely on.
    case setup
    /// Commands; ARGUMENT, if there is one, is the folder of this repository that has all sources
    /// as the reader has them now, or `live` for commands that would use the network.
    case run
    /// What the commands before it print.
    case output
    /// A session at a terminal, commands and screen; ARGUMENT as for `run`.
    case terminal
  }

  let kind: Kind
  let argument: String
  let block: String

  /// All steps of a document, in order. Each block belongs to a step.
  static func steps(of document: String) throws -> [TutorialStep] {
    var steps: [TutorialStep] = []
    var lines = document.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      try #require(!line.hasPrefix("```"), "a block without a step")
      guard line.hasPrefix("<!-- "), line.hasSuffix(" -->") else { continue }
      let words = line.dropFirst(5).dropLast(4).split(separator: ": ", maxSplits: 1)
      let kind = try #require(Kind(rawValue: String(words[0])), "\(line)")
      steps.append(
        TutorialStep(
          kind: kind, argument: words.count > 1 ? String(words[1]) : "",
          block: kind == .delete ? "" : try takeBlock(from: &lines)))
    }
    return steps
  }

  private static func takeBlock(from lines: inout ArraySlice<Substring>) throws -> String {
    let fence = lines.popFirst() ?? ""
    try #require(fence.hasPrefix("```"), "a step without a block")
    let block = lines.prefix { $0 != "```" }
    lines = lines.dropFirst(block.count + 1)
    return block.map { "\($0)\n" }.joined()
  }
}

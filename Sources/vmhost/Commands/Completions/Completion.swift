import HostCore

/// What may stand at the cursor, for the script of a shell.
///
/// The first four lines say how matches fit into the word; each other line has a kind, a text and
/// a description, separated by tabs.
struct Completion {
  /// What may stand there.
  enum Offer: Equatable {
    /// - Parameter goesOn: whether more belongs to the word, so that no blank follows.
    case value(String, help: String = "", goesOn: Bool = false)
    /// Files whose name matches a pattern, and folders. The shell knows how they are quoted.
    case files(String)
    case folders
    /// Environment variables.
    case variables
  }

  /// The word at the cursor, up to there.
  let typed: String
  /// Where the part that is completed begins in the word.
  var offset = 0
  var offers: [Offer] = []

  init(typed: String) { self.typed = typed }

  var part: Substring { typed.dropFirst(offset) }

  /// - Parameter fixedCount: how many characters of the word Readline leaves as they are.
  func text(fixedCount: Int) -> String {
    let prefix = typed.prefix(offset).dropFirst(fixedCount)
    var lines = [
      "word\t\(part)", "skip\t\(offset)", "prefix\t\(prefix)",
      "strip\t\(max(fixedCount - offset, 0))",
    ]
    lines += offers.map { offer in
      switch offer {
      case .value(let text, let help, let goesOn): "\(goesOn ? "part" : "value")\t\(text)\t\(help)"
      case .files(let pattern): "files\t\(pattern)"
      case .folders: "folders"
      case .variables: "variables"
      }
    }
    // Such a word can't be told line by line.
    let isTellable = !typed.contains { $0.isNewline || $0 == "\t" || $0 == "\0" }
    return isTellable ? lines.joined(separator: "\n") + "\n" : ""
  }
}

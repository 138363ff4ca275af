import Foundation

/// The links and the headings of a Markdown file.
struct MarkdownPage {
  struct Link: Equatable {
    let target: String
    /// The number of its line, from 1.
    let line: Int
  }

  let links: [Link]
  /// The names by which a link leads to a heading, as GitHub makes them.
  let anchors: Set<String>

  init(_ text: String) {
    // Lines of code are blank here, so that all others keep their numbers.
    let lines = Self.withoutBlocks(text.split(separator: "\n", omittingEmptySubsequences: false))
    anchors = Self.anchors(of: lines)
    links = Self.links(in: Self.withoutCode(lines.joined(separator: "\n")))
  }

  private static func withoutBlocks(_ lines: [Substring]) -> [Substring] {
    var fence: Substring?
    return lines.map { line in
      let content = line.drop { $0 == " " }
      let mark = content.prefix { $0 == content.first }
      if let open = fence {
        if content == mark, mark.hasPrefix(open) { fence = nil }
        return ""
      }
      guard mark.hasPrefix("```") || mark.hasPrefix("~~~") else { return line }
      fence = mark
      return ""
    }
  }

  private static func anchors(of lines: [Substring]) -> Set<String> {
    var anchors: Set<String> = []
    for line in lines {
      let level = line.prefix { $0 == "#" }.count
      guard (1...6).contains(level), line.dropFirst(level).first == " " else { continue }
      let heading = line.dropFirst(level + 1)
        .replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
      let name = heading.lowercased().replacing(" ", with: "-")
        .filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
      // A second heading of the same name gets a number.
      var (anchor, number) = (name, 0)
      while !anchors.insert(anchor).inserted {
        number += 1
        anchor = "\(name)-\(number)"
      }
    }
    return anchors
  }

  /// The text with a word for each part between backticks, which may go on in the next line.
  private static func withoutCode(_ text: String) -> String {
    var (prose, rest) = ("", text[...])
    while let start = rest.firstIndex(of: "`") {
      prose += rest[..<start]
      let mark = rest[start...].prefix { $0 == "`" }
      rest = rest[mark.endIndex...]
      guard let end = Self.end(of: mark, in: rest) else {
        prose += mark
        continue
      }
      prose += "code" + rest[..<end].filter { $0 == "\n" }
      rest = rest[end...].dropFirst(mark.count)
    }
    return prose + rest
  }

  /// Where as many backticks as in `mark` end its code, in the same paragraph.
  private static func end(of mark: Substring, in text: Substring) -> Substring.Index? {
    var rest = text.prefix(upTo: text.firstRange(of: "\n\n")?.lowerBound ?? text.endIndex)
    while let start = rest.firstIndex(of: "`") {
      let run = rest[start...].prefix { $0 == "`" }
      if run == mark { return start }
      rest = rest[run.endIndex...]
    }
    return nil
  }

  private static func links(in text: String) -> [Link] {
    let inline = text.matches(of: /\]\(\s*<?([^)\s>]*)/).map { ($0.range.lowerBound, $0.output.1) }
    let defined = text.matches(of: /(?:^|\n)\[[^\]]+\]:\s*(\S+)/)
      .map { ($0.range.upperBound, $0.output.1) }
    let bare = text.matches(of: /<(https?:[^>\s]*)>/).map { ($0.range.lowerBound, $0.output.1) }
    return (inline + defined + bare).map { place, target in
      Link(target: String(target), line: 1 + text[..<place].filter { $0 == "\n" }.count)
    }
  }
}

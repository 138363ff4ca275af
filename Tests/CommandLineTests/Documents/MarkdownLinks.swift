import Foundation

/// Where the links of Markdown files lead.
struct MarkdownLinks {
  /// How many links there are.
  let count: Int
  /// Each link that leads nowhere, as `page:line: target: reason`.
  let broken: [String]

  /// - Parameter pages: the Markdown files, by their paths from `root`.
  init(root: String, pages: [(name: String, text: String)]) {
    let parsed = pages.map { (name: $0.name, page: MarkdownPage($0.text)) }
    let anchors = Dictionary(
      parsed.map { ($0.name, $0.page.anchors) }, uniquingKeysWith: { first, _ in first })
    count = parsed.map(\.page.links.count).reduce(0, +)
    broken = parsed.flatMap { name, page in
      page.links.compactMap { link in
        Self.problem(with: link.target, in: name, root: root, anchors: anchors)
          .map { "\(name):\(link.line): \(link.target): \($0)" }
      }
    }
  }

  /// Why a link leads nowhere.
  private static func problem(
    with target: String, in page: String, root: String, anchors: [String: Set<String>]
  ) -> String? {
    if target.contains(/^[a-z]+:/) {
      return target.contains(/^https?:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:[\/?#]|$)/)
        ? nil : "it is no http address"
    }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, parts[1].contains(/^L[0-9]/) { return "lines move" }
    let isHere = parts[0].isEmpty && parts.count == 2
    guard let path = isHere ? page : Self.path(String(parts[0]), from: page) else {
      return "it leads out of the repository"
    }
    guard !target.isEmpty, FileManager.default.fileExists(atPath: "\(root)/\(path)") else {
      return "there is no such file"
    }
    guard parts.count == 2 else { return nil }
    guard let names = anchors[path] else { return "only headings of Markdown files have names" }
    return names.contains(String(parts[1])) ? nil : "there is no such heading"
  }

  /// A link's path from the root, or `nil` if it leads out of it.
  private static func path(_ link: String, from page: String) -> String? {
    guard !link.hasPrefix("/") else { return nil }
    var path = page.split(separator: "/").dropLast()
    for part in link.split(separator: "/") where part != "." {
      if part != ".." {
        path.append(part)
      } else if path.popLast() == nil {
        return nil
      }
    }
    return path.joined(separator: "/")
  }
}

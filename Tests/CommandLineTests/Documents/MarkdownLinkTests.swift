import Foundation
import TestSupport
import Testing

/// Each link in a Markdown file leads somewhere.
struct MarkdownLinkTests {
  @Test func `every link leads to a file of the repository, and to a heading in it`() throws {
    let pages = try Repository.documents()
    for name in ["README.md", "SECURITY.md", "Documentation/Decisions/README.md"] {
      #expect(pages.contains { $0.name == name })
    }
    let links = MarkdownLinks(root: try Repository.root(), pages: pages)
    #expect(links.count > 150)
    #expect(links.broken == [])
  }

  @Test(arguments: [
    "[a](other.md)", "[a](other.md#a-heading)", "[a](#here)", "[a](folder)",
    "[a](folder/page.md)", "[a](folder/page.md#a-heading-1)", "[a](file.swift)",
    "![a](file.swift)", "[a]\n\n[a]: other.md", "[a](https://swift.org/blog/#top)",
    "<https://swift.org>", "`[a](nowhere.md)`", "``a`b [a](nowhere.md)``",
    "```\n[a](nowhere.md)\n```", "~~~\n```\n[a](nowhere.md)\n~~~", "`a\n[a](nowhere.md)`",
  ])
  func `takes links that lead somewhere`(_ text: String) async throws {
    #expect(try await Self.broken(in: text) == [])
  }

  @Test(arguments: [
    ("a ` b\n\n[a](othre.md) `", "3: othre.md: there is no such file"),
    ("[a](othre.md)", "1: othre.md: there is no such file"),
    ("a\n\n`b`\n[a](othre.md)", "4: othre.md: there is no such file"),
    ("`a\nb` [a](othre.md)", "2: othre.md: there is no such file"),
    ("[a](other.md#heading)", "1: other.md#heading: there is no such heading"),
    ("[a](other.md#code)", "1: other.md#code: there is no such heading"),
    ("[a](other.md#A-Heading)", "1: other.md#A-Heading: there is no such heading"),
    ("[a](other.md#a-heading-1)", "1: other.md#a-heading-1: there is no such heading"),
    ("[a](#there)", "1: #there: there is no such heading"),
    ("[a](folder#here)", "1: folder#here: only headings of Markdown files have names"),
    ("[a](file.swift#L3)", "1: file.swift#L3: lines move"),
    ("[a](other.md#L3)", "1: other.md#L3: lines move"),
    ("[a](other.md#L3-L7)", "1: other.md#L3-L7: lines move"),
    ("[a]()", "1: : there is no such file"),
    ("[a](../page.md)", "1: ../page.md: it leads out of the repository"),
    ("[a](/tmp)", "1: /tmp: it leads out of the repository"),
    ("[a](https:swift.org)", "1: https:swift.org: it is no http address"),
    ("[a](https://)", "1: https://: it is no http address"),
    ("[a](https://swift,org)", "1: https://swift,org: it is no http address"),
    ("<http:/swift.org>", "1: http:/swift.org: it is no http address"),
    ("[a](ftp://swift.org)", "1: ftp://swift.org: it is no http address"),
    ("[a]: othre.md", "1: othre.md: there is no such file"),
    ("![a](othre.png)", "1: othre.png: there is no such file"),
    ("[a](\n  othre.md)", "1: othre.md: there is no such file"),
  ])
  func `tells which link leads nowhere`(_ text: String, problem: String) async throws {
    #expect(try await Self.broken(in: text) == ["page.md:\(problem)"])
  }

  /// The broken links of a page that is beside others.
  private static func broken(in text: String) async throws -> [String] {
    let heading = "# A heading\n```\n# Code\n```\n"
    let pages = [
      (name: "page.md", text: "\(text)\n\n# Here\n"), (name: "other.md", text: heading),
      (name: "folder/page.md", text: heading + heading),
    ]
    return try await TemporaryDirectory.with { folder in
      for page in pages { try folder.write(page.text, to: page.name) }
      try folder.write("", to: "file.swift")
      return MarkdownLinks(root: folder.path, pages: pages).broken
    }
  }

  @Test(arguments: [
    ("# One", "one"), ("## Lines that go in", "lines-that-go-in"), ("### `+`: time", "-time"),
    ("## In `swift test`", "in-swift-test"), ("# What's new?", "whats-new"),
    ("# vmhost-http", "vmhost-http"), ("# a_b", "a_b"), ("# A  b", "a--b"),
    ("# [Flows](Flows.md) and more", "flows-and-more"), ("###### Größe", "größe"),
  ])
  func `names headings as GitHub does`(_ line: String, anchor: String) {
    #expect(MarkdownPage(line).anchors == [anchor])
  }

  @Test(arguments: ["####### Seven", "#hash", "a # b", "```\n# comment\n```"])
  func `takes nothing else for a heading`(_ text: String) {
    #expect(MarkdownPage(text).anchors == [])
  }
}

import Testing

@testable import HostCore

struct FlowPlaceholderTests {
  @Test(arguments: [
    ("$value", []), ("$config.a.b", ["a", "b"]), ("$config.", [""]),
    // To Swift, the dot and the accent are one character.
    ("$config.\u{301}a.\u{301}", ["\u{301}a", "\u{301}"]),
  ])
  func `a path has the names between its dots`(text: String, path: [String]) {
    #expect(FlowPlaceholder(text)?.path == path)
  }

  @Test(arguments: ["", "value", "$valuе", "$values", "$value\u{301}", "$config/a", " $config"])
  func `other text is none`(text: String) {
    #expect(FlowPlaceholder(text) == nil)
  }
}

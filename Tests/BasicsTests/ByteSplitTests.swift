import Basics
import Testing

struct ByteSplitTests {
  @Test(arguments: [
    ("", [""]), ("a", ["a"]), ("/", ["", ""]), ("a//b/", ["a", "", "b", ""]),
    // An accent, and a sign that combines with what follows.
    ("a/\u{301}b", ["a", "\u{301}b"]), ("\u{600}/b", ["\u{600}", "b"]),
  ])
  func `finds what a character of Swift hides`(text: String, parts: [String]) {
    #expect(text.byteSplit(separator: "/").map { Array($0.utf8) } == parts.map { Array($0.utf8) })
    #expect(
      Array(text.byteReplacing("/", with: "~1").utf8)
        == Array(parts.joined(separator: "~1").utf8))
  }

  @Test(arguments: [
    ("a=b=c", 1, ["a", "b=c"]), ("a=b", 0, ["a=b"]), ("=", 1, ["", ""]), ("a", 1, ["a"]),
  ])
  func `leaves the rest in one part`(text: String, maxSplits: Int, parts: [String]) {
    #expect(text.byteSplit(separator: "=", maxSplits: maxSplits) == parts)
  }

  @Test(arguments: [
    ("a*/b", ["a", "b"]), ("*/*/\u{e33}", ["", "", "\u{e33}"]), ("**/", ["*", ""]), ("*", ["*"]),
  ])
  func `a separator may be of several characters`(text: String, parts: [String]) {
    #expect(text.byteSplit(separator: "*/") == parts)
  }
}

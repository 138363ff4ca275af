import Testing

@testable import vmhost

/// The patterns of `--filter` and `--exclude`.
struct PathPatternTests {
  private static let paths = [
    "a/t7.vmt", "a/t70.vmt", "x/a/t7/one.vmt", "x/a/t7/two/three.vmt", "x/at7.vmt", "t7/a.vmt",
  ]

  @Test(
    arguments: [
      ("t7", [0, 2, 3, 5]), ("t7.vmt", [0]), ("a/t7", [0, 2, 3]), ("./a//t7", [0, 2, 3]),
      ("a/t7.vmt", [0]), ("a/t7/", [2, 3]), ("a/t7/**", [2, 3]), ("t7/a", [5]), ("t", []),
      ("T7", []), ("x", [2, 3, 4]), ("a", [0, 1, 2, 3, 5]), ("a/", [0, 1, 2, 3]),
      ("t*", [0, 1, 2, 3, 5]), ("t7?", [1]), ("a/t?", [0, 2, 3]), ("t[0-9]", [0, 2, 3, 5]),
      ("*t7", [0, 2, 3, 4, 5]), ("a*7", [4]), ("*", [0, 1, 2, 3, 4, 5]),
      ("**", [0, 1, 2, 3, 4, 5]), ("x/**/t*", [2, 3]), ("x/**/t*.vmt", [3]),
      ("a/**/t*", [0, 1, 2, 3]),
      ("x/a/**/three", [3]), ("**/three", [3]), ("x/*/*/three", []), ("x/*/*/*/three", [3]),
      ("x/a/t7/two/three/four", []), ("/a", []), ("/", []), (".", [0, 1, 2, 3, 4, 5]),
      ("one/**", []), ("a/t7/one/", []), ("*.vmt", [0, 1, 2, 3, 4, 5]), ("a/t70/one", []),
    ] as [(String, [Int])])
  func `match consecutive names of a path, and what is in such folders`(
    _ pattern: String, _ expected: [Int]
  ) throws {
    let pattern = try PathPattern(pattern, of: "filter")
    let found = Self.paths.indices.filter {
      pattern.matches(PathPattern.components(of: Self.paths[$0]))
    }
    #expect(found == expected)
  }

  @Test(
    arguments: [
      ("gr?ße", "größe.vmt", true), ("gr?ße", "gro\u{308}ße.vmt", true),
      ("gro\u{308}*", "größe.vmt", true), ("gr??ße", "größe.vmt", false),
      ("[ä-ü]*", "größe.vmt", false), ("gr[ö]ße", "größe.vmt", true), ("?", "😀.vmt", true),
      ("[!a]", "a.vmt", false), ("[!a]", "b.vmt", true), ("[^a]", "b.vmt", true),
      ("[]]", "].vmt", true), ("[!]]", "].vmt", false), ("[]a]", "a.vmt", true),
      ("[a-]", "-.vmt", true), ("[-a]", "-.vmt", true), ("[z-a]", "m.vmt", true),
      ("[a-c-]", "-.vmt", true), ("[*]", "*.vmt", true), ("[*]", "a.vmt", false),
      ("a[[]b", "a[b.vmt", true), ("a]b", "a]b.vmt", true), ("a**b", "axyb.vmt", true),
      ("/srv", "/srv/a.vmt", true), ("/srv/a", "/srv/a.vmt", true), ("/a", "/srv/a.vmt", false),
      ("srv/a", "/srv/a.vmt", true), ("/**/a", "/srv/x/a.vmt", true), ("/", "/srv/a.vmt", true),
      ("a.vmt", "a.vmt", true), ("a", "a.vmt.vmt", false), ("a.vmt", "a.vmt.vmt", true),
      ("b", "a.b", false), ("a.b", "a.b", true), ("..", "../a.vmt", true),
    ] as [(String, String, Bool)])
  func `match characters as people see them`(
    _ pattern: String, _ path: String, _ expected: Bool
  ) throws {
    let matches = try PathPattern(pattern, of: "filter")
      .matches(PathPattern.components(of: path))
    #expect(matches == expected)
  }

  @Test func `with many wildcards take no time`() throws {
    let name = String(repeating: "a", count: 200)
    let pattern = try PathPattern(String(repeating: "*a", count: 60) + "b", of: "filter")
    let path = Array(repeating: name, count: 20)
    let matches = pattern.matches(path)
    #expect(!matches)
    let folders = try PathPattern(String(repeating: "**/a*/", count: 20) + "b", of: "filter")
    let isInside = folders.matches(path + path)
    #expect(!isInside)
  }

  @Test(arguments: ["[", "a[", "[]", "[!", "[!]", "[a", "[a-", "a/[b/c]", "[a]/["])
  func `need a bracket for each bracket`(_ pattern: String) {
    let message = Failure.message { () throws(Failure) in
      _ = try PathPattern(pattern, of: "exclude")
    }
    #expect(message?.hasPrefix("--exclude: in \"\(pattern)\" the \"[\" has no \"]\".") == true)
  }
}

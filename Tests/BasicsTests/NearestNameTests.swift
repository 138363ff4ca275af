import Basics
import Testing

struct NearestNameTests {
  @Test(arguments: [
    ("didSerach", ["didSearch", "didSelectItem"], "didSearch"),  // a swap
    ("didSeach", ["didSearch", "didSelectItem"], "didSearch"),  // one missing
    ("didSearrch", ["didSelectItem", "didSearch"], "didSearch"),  // one too many
    ("didSaarch", ["didSelectItem", "didSearch"], "didSearch"),  // another
    ("DIDSEARCH", ["didSelectItem", "didSearch"], "didSearch"),
    ("http", ["https", "HTTP"], "HTTP"),
    ("Ab", ["aB", "AB"], "AB"),  // both are equal but for case: the one with less to change
    ("view", ["script", "view-model"], "view-model"),
    ("scr", ["script", "scrap"], "scrap"),  // both begin so; the shorter is nearer
    ("ba", ["ab", "cd"], "ab"),
    ("größe", ["grösse", "GRÖSZE"], "grösse"),
  ])
  func `suggests the nearest name`(_ name: String, among names: [String], expected: String) {
    #expect(NearestName.of(name, among: names) == expected)
    #expect(NearestName.of(name, among: names.reversed()) == expected)
    #expect(NearestName.of(name, among: Set(names)) == expected)
  }

  @Test func `chooses the first in the alphabet among equals`() {
    #expect(NearestName.of("cat", among: ["rat", "bat", "hat"]) == "bat")
  }

  @Test(arguments: [
    ("didSearch", ["loginTapped", "amount"]), ("x", ["y", "z"]), ("", ["a", "abcdef"]),
    ("abc", []), ("run", ["run"]), ("abcdef", ["abcxyz"]), ("v", ["view-model"]),
  ])
  func `suggests nothing where nothing is near`(_ name: String, among names: [String]) {
    #expect(NearestName.of(name, among: names) == nil)
  }

  @Test func `suggests nothing for names beyond any sense`() {
    let endless = String(repeating: "a", count: 10_000_000)
    #expect(NearestName.of(endless, among: [endless + "b"]) == nil)
    #expect(NearestName.of("a", among: [endless]) == nil)
  }

  @Test func `ends a message with the suggestion or with nothing`() {
    #expect(NearestName.hint(for: "rum", among: ["run"]) == " Did you mean \"run\"?")
    let option = NearestName.hint(for: "scirpt", among: ["script"], prefix: "--")
    #expect(option == " Did you mean \"--script\"?")
    #expect(NearestName.hint(for: "xyz", among: ["run"]) == "")
  }
}

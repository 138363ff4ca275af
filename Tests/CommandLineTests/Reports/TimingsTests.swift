import HostCore
import TestSupport
import Testing

@testable import vmhost

struct TimingsTests {
  private func timings(_ text: String) throws(Failure) -> Timings {
    try Timings(parsing: Array(text.utf8), source: "t.json")
  }

  @Test func `is sorted by the bytes of the paths, a line each`() throws {
    var timings = Timings()
    #expect(ReportSamples.text(timings.bytes) == "{}\n")
    timings.merge([
      TestResult(path: "b \"x\".vmt", verdict: .passed, duration: 1_500_000_999),
      TestResult(path: "é.vmt", verdict: .failed, duration: 250),
      TestResult(path: "B.vmt", verdict: .unverified, duration: 2_000_000_000),
    ])
    let expected = """
      {
        "B.vmt": 2,
        "b \\"x\\".vmt": 1.5,
        "é.vmt": 0
      }

      """
    #expect(ReportSamples.text(timings.bytes) == expected)
    #expect(try self.timings(expected).bytes == timings.bytes)
  }

  @Test func `takes no time over from what was cut short`() throws {
    var timings = Timings()
    timings.merge(ReportSamples.all)
    #expect(
      timings.times.keys.map(\.path).sorted()
        == ["t/failed.vmt", "t/passed.vmt", "t/unverified.vmt"])
  }

  @Test func `keeps what it knew of other paths`() throws {
    var timings = try timings(#"{"old.vmt": 3, "new.vmt": 1}"#)
    timings.merge([TestResult(path: "new.vmt", verdict: .passed, duration: 2_000_000_000)])
    #expect(timings["old.vmt"] == 3_000_000_000)
    #expect(timings["new.vmt"] == 2_000_000_000)
    #expect(timings["none.vmt"] == nil)
  }

  @Test func `takes paths that differ only in normalisation for two`() throws {
    let both = try timings("{\"\u{E9}\": 1, \"e\u{301}\": 2}")
    #expect(both["\u{E9}"] == 1_000_000_000)
    #expect(both["e\u{301}"] == 2_000_000_000)
    #expect(try timings(ReportSamples.text(both.bytes)) == both)
  }

  @Test(arguments: [
    (
      "",
      "t.json:1:1: this file is invalid: expected a value, found the end of the input."
    ),
    ("[]", "t.json:1:1: this file is invalid: expected an object."),
    (
      "{\"a\": 1,\n  \"b\": -1}",
      "t.json:2:8: a time must be a number of seconds from 0 to 1000000."
    ),
    ("{\"a\": \"1\"}", "t.json:1:7: a time must be a number of seconds from 0 to 1000000."),
    ("{\"a\": 1e7}", "t.json:1:7: a time must be a number of seconds from 0 to 1000000."),
    ("{\"a\": null}", "t.json:1:7: a time must be a number of seconds from 0 to 1000000."),
    ("{\n\"a\": 1,\n\"a\": 2}", "t.json:3:1: this path appears twice."),
    (
      "{\"a\": 1} x",
      "t.json:1:10: this file is invalid: expected its end after the first value."
    ),
    (
      "{\n  \"é\": 1\n  \"b\": 2\n}\n",
      "t.json:3:3: this file is invalid: expected \",\" or \"}\", found a quote."
    ),
  ])
  func `says what is wrong with a file, and where`(_ text: String, message: String) {
    let found = Failure.message { () throws(Failure) in _ = try timings(text) }
    #expect(found?.split(separator: "\n").first.map(String.init) == message)
  }

  @Test func `refuses bytes that are no UTF-8`() {
    let found = Failure.message { () throws(Failure) in
      _ = try Timings(parsing: Array("{\"".utf8) + [0xff] + Array("\":1}".utf8), source: "t")
    }
    #expect(found?.hasPrefix("t:1:3: ") == true)
  }

  @Test func `reads none where there is no file yet, and what it wrote`() async throws {
    try await TemporaryDirectory.with { folder in
      let path = folder.file("timings.json")
      var timings = try Timings.read(path)
      #expect(timings == Timings())
      timings.merge([ReportSamples.passed])
      try timings.write(path)
      #expect(try Timings.read(path) == timings)
      #expect(
        Failure.message { () throws(Failure) in _ = try Timings.read(folder.path) }
          == "could not read \"\(folder.path)\": Is a directory.")
      #expect(try Files.names(in: folder.path) == ["timings.json"])
    }
  }
}
